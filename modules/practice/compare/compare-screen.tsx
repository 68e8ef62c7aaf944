import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Pagination, Radio, Segmented, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { editorPath, STATUSES } from '../bank/practice.ts'
import { PartView } from '../edit/merge-written.tsx'
import { changedParts, PARTS, withPart, type PartName } from '../edit/written.ts'
import type { Written } from '../edit/calls.ts'
import { DifficultyTag, sourceWords } from '../ui/practice-card.tsx'
import { useReloadPractices } from '../ui/use-moves.tsx'
import { useSubjects } from '../ui/use-practice.tsx'
import { COMPARE, comparePairs, mergePair, resolvePair, scanDuplicates, type Pair, type Side } from './calls.ts'
import '../../../core/list/list.css'
import '../ui/bank.css'
import '../edit/editor.css'
import './compare.css'

type SideName = 'left' | 'right'

/** Parts that only make sense together: an answer names the options of its own question. */
const TOGETHER: readonly PartName[] = ['options', 'answer', 'children', 'type', 'option_layout']

function Head({ side, name, kept, onKeep, disabled }: { side: Side; name: SideName; kept: boolean; onKeep: (() => void) | undefined; disabled: boolean }) {
  const navigate = useNavigate()
  const { practice } = side
  return (
    <header className="compare-head">
      <Radio checked={kept} disabled={disabled || !onKeep} onChange={() => onKeep?.()} aria-label={`保留 ${practice.no}`}>{kept ? '保留此题' : '并入另一题'}</Radio>
      <Button size="small" type="link" onClick={() => void navigate(editorPath(practice.level, practice.pool, practice.id))}>{practice.no}</Button>
      <Tag>{practice.pool === 'official' ? '正式' : '后台'}</Tag><StateWord choices={STATUSES} value={practice.status} /><DifficultyTag value={practice.difficulty} />
      <small className="note">{name === 'left' ? '左' : '右'} · {practice.owner_name ?? '—'} · {sourceWords(practice) || '无来源'}{practice.pool === 'official' && ` · 使用 ${practice.use_count} 次`}</small>
    </header>
  )
}

/** One pair: what differs, part by part, and which side each part is taken from. */
function PairCard({ pair, may, onDone }: { pair: Pair; may: boolean; onDone: () => void }) {
  const { message, modal } = App.useApp()
  const { left, right } = pair
  const onlyRight = pair.kind === 'revision' || right.practice.pool === 'official'
  const onlyLeft = !onlyRight && left.practice.pool === 'official'
  const [into, setInto] = useState<SideName>(onlyRight ? 'right' : 'left')
  const parts = changedParts(left.written, right.written)
  // A revision is taken over unless somebody says otherwise; of duplicates the one that stays keeps what it says.
  const [choice, setChoice] = useState<Partial<Record<PartName, SideName>>>({})
  const [busy, setBusy] = useState(false)
  const pick = (part: PartName): SideName => choice[part] ?? (pair.kind === 'revision' ? 'left' : into)
  const take = (part: PartName, side: SideName) => setChoice({ ...choice, ...Object.fromEntries((TOGETHER.includes(part) ? parts.filter((one) => TOGETHER.includes(one)) : [part]).map((one) => [one, side])) })
  const merged = (): Written => {
    const [base, other] = into === 'left' ? [left.written, right.written] : [right.written, left.written]
    return parts.filter((part) => pick(part) !== into).reduce((written, part) => withPart(written, part, other), base)
  }
  const attempt = async (work: () => Promise<string>) => {
    setBusy(true)
    try {
      void message.success(await work())
      onDone()
    } catch {
      // The shell has shown why; somebody else may have been faster.
    } finally {
      setBusy(false)
    }
  }
  const merge = () => modal.confirm({
    title: pair.kind === 'revision' ? `把修订合并到 ${right.practice.no}？` : `把 ${pair[into === 'left' ? 'right' : 'left'].practice.no} 并入 ${pair[into].practice.no}？`,
    content: pair.kind === 'revision' ? '正式题保留原题号和引用，版本加一。' : '被并入的题将作废或下架，引用它的试卷和举一反三改为引用保留的题。', okText: '合并',
    onOk: () => attempt(async () => {
      const { content, facts, labels, chapter_ids } = merged()
      const done = await call(mergePair, { into, content, facts: facts as unknown as Record<string, unknown>, labels, chapter_ids, left_rev: left.practice.rev, right_rev: right.practice.rev }, { params: { id: pair.id }, keepEmpty: true })
      return `已合并${done.moved > 0 ? `，转移 ${done.moved} 处引用` : ''}${done.left_alone > 0 ? `，${done.left_alone} 份试卷无权修改，保持不变` : ''}`
    }),
  })
  const resolve = (verdict: 'distinct' | 'both', words: string) => attempt(async () => {
    await call(resolvePair, { verdict }, { params: { id: pair.id } })
    return words
  })
  return (
    <article className="compare-pair" aria-label={`比对 ${left.practice.no} 和 ${right.practice.no}`}>
      <div className="compare-title">
        <Tag color={pair.kind === 'revision' ? 'processing' : 'warning'}>{pair.kind === 'revision' ? '修订' : `相似 ${Math.round((pair.score ?? 0) * 100)}%`}</Tag>
        <span>{parts.length === 0 ? '内容完全相同' : `${parts.length} 处不同：${parts.map((part) => PARTS[part]).join('、')}`}</span>
        {may && (
          <Space className="compare-acts" wrap>
            {pair.kind === 'dup' && <Button size="small" disabled={busy} onClick={() => void resolve('distinct', '已标为不同题')}>标为不同题</Button>}
            {pair.kind === 'dup' && <Button size="small" disabled={busy} onClick={() => void resolve('both', '已保留两题，组卷时不会同时选入')}>保留两者</Button>}
            <Button size="small" type="primary" loading={busy} onClick={merge}>{pair.kind === 'revision' ? '合并到正式' : '合并'}</Button>
          </Space>
        )}
      </div>
      <div className="compare-heads">
        <Head side={left} name="left" kept={into === 'left'} disabled={!may} onKeep={onlyRight ? undefined : () => setInto('left')} />
        <Head side={right} name="right" kept={into === 'right'} disabled={!may} onKeep={onlyLeft ? undefined : () => setInto('right')} />
      </div>
      {(parts.length === 0 ? (['stem', 'options', 'answer'] as const) : parts).map((part) => (
        <section key={part} aria-label={PARTS[part]}>
          <h4>{PARTS[part]}</h4>
          <div className="merge-sides">
            {(['left', 'right'] as const).map((side) => (
              <div key={side} className={parts.length > 0 && pick(part) === side ? 'compare-taken' : undefined}>
                {parts.length > 0 && <Radio disabled={!may} checked={pick(part) === side} aria-label={`${PARTS[part]}采用${side === 'left' ? '左边' : '右边'}`} onChange={() => take(part, side)}>采用</Radio>}
                <PartView written={pair[side].written} name={part} />
              </div>
            ))}
          </div>
        </section>
      ))}
    </article>
  )
}

/** 试题比对: revisions beside what they revise and likely duplicates, decided field by field (domain 1.11). */
export default function CompareScreen() {
  const { message } = App.useApp()
  const can = useCan()
  const client = useQueryClient()
  const subjects = useSubjects()
  const reloadPractices = useReloadPractices()
  const [kind, setKind] = useState<'all' | 'revision' | 'dup'>('all')
  const [catId, setCatId] = useState<number>()
  const [page, setPage] = useState(0)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['practice-compares', kind, catId, page],
    queryFn: ({ signal }) => call(comparePairs, { ...(kind !== 'all' && { kind }), ...(catId && { cat_id: String(catId) }), page: String(page) }, { signal, quiet: true }),
  })
  const may = can(COMPARE)
  const done = () => void Promise.all([client.invalidateQueries({ queryKey: ['practice-compares'] }), reloadPractices()])
  const scan = async () => {
    if (!catId) return
    await call(scanDuplicates, { cat_id: catId }).then(() => message.success('查重已开始，完成后会有通知'), () => undefined)
  }
  return (
    <section className="compare" aria-label="试题比对">
      <div className="verify-bar compare-bar">
        <Space wrap>
          <Segmented<'all' | 'revision' | 'dup'> value={kind} onChange={(next) => { setKind(next); setPage(0) }} options={[{ value: 'all', label: '全部' }, { value: 'revision', label: '修订' }, { value: 'dup', label: '疑似重复' }]} />
          <Select allowClear className="compare-subject" aria-label="学科" placeholder="全部学科" value={catId ?? null} showSearch={{ optionFilterProp: 'label' }} options={subjects.map(({ id, name }) => ({ value: id, label: name }))} onChange={(next?: number | null) => { setCatId(next ?? undefined); setPage(0) }} />
          <Button onClick={() => void refetch()}>刷新</Button>
          {may && <Button disabled={!catId} title={catId ? undefined : '请先选择学科'} onClick={() => void scan()}>全科查重</Button>}
        </Space>
        <span className="note" aria-live="polite">{data ? `共 ${data.total} 对` : ''}</span>
      </div>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
        : isPending ? <Skeleton active paragraph={{ rows: 8 }} /> : data.items.length === 0 ? <Empty description="没有待比对的试题" /> : data.items.map((pair) => <PairCard key={`${pair.id} ${pair.left.practice.rev} ${pair.right.practice.rev}`} pair={pair} may={may} onDone={done} />)}
      {data && data.total > 10 && <Pagination current={page + 1} pageSize={10} total={data.total} showSizeChanger={false} onChange={(next) => { setPage(next - 1); window.scrollTo(0, 0) }} />}
    </section>
  )
}
