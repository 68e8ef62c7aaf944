import { ArrowRightOutlined } from '@ant-design/icons'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Alert, Button, Collapse, Drawer, Empty, Popconfirm, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { QuestionView } from '../../practice/door.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import { difference, type PaperBody } from '../compose/body.ts'
import type { PaperEditing } from '../editor/use-paper.tsx'
import { paperVersionContent, paperVersions } from './calls.ts'
import { CHANGE_KINDS, compare, type ChangeKind, type QuestionChange } from './compare.ts'

/** Stands for the paper as it is being edited. */
const NOW = 0
const TONES: Readonly<Record<ChangeKind, string>> = { added: 'success', removed: 'error', rescored: 'warning', updated: 'processing', moved: 'default' }

/** Compares two states of a paper: what learners see, and what is being edited. */
export function VersionDrawer({ editing, onClose }: { editing: PaperEditing; onClose: () => void }) {
  const { content, body, cards, change } = editing
  const [chosen, setChosen] = useState<{ from?: number; to: number }>({ to: NOW })
  const versions = useQuery({ queryKey: ['paper-versions', content.id, content.version_no], queryFn: ({ signal }) => call(paperVersions, undefined, { params: { id: content.id }, signal, quiet: true }) })
  const items = versions.data?.items ?? []
  const from = chosen.from ?? items[0]?.version_no
  const wanted = [from, chosen.to].filter((one): one is number => one !== undefined && one !== NOW)
  const states = useQueries({ queries: wanted.map((version_no) => ({
    queryKey: ['paper-version', content.id, version_no], staleTime: Infinity,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(paperVersionContent, undefined, { params: { id: content.id, version_no }, signal, quiet: true }),
  })) })
  const error = versions.error ?? states.find((state) => state.error)?.error
  const bodyOf = (version: number | undefined): PaperBody | undefined => (version === NOW ? body : states.find(({ data }) => data?.version_no === version)?.data?.body)
  const known = new Map<number, PracticeCard>([...states.flatMap(({ data }) => data?.practices ?? []).map((card) => [card.id, card] as const), ...cards])
  const [before, after] = [bodyOf(from), bodyOf(chosen.to)]
  const options = items.map(({ version_no, at, staff_name, question_count, total_score }) => ({ value: version_no, label: `第 ${version_no} 版 · ${formatTime(at)}${staff_name ? ` · ${staff_name}` : ''} · ${question_count} 题 ${total_score} 分` }))
  return (
    <Drawer open size={880} title="版本对比" onClose={onClose}>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void versions.refetch()}>重试</Button>} />}
      {versions.isPending && <Skeleton active />}
      {versions.data && items.length === 0 && <Empty description="还没有版本。试卷上架时生成第一个版本。" />}
      {items.length > 0 && (
        <>
          <Space wrap className="paper-versions">
            <Select value={from ?? null} options={options} aria-label="对比的版本" popupMatchSelectWidth={false} onChange={(value) => setChosen({ ...chosen, from: value })} />
            <ArrowRightOutlined aria-label="与" />
            <Select value={chosen.to} options={[{ value: NOW, label: '正在编辑的内容' }, ...options]} aria-label="对比到" popupMatchSelectWidth={false} onChange={(to) => setChosen({ ...chosen, to })} />
            {content.can_edit && chosen.to === NOW && before && difference(body, before).length > 0 && (
              <Popconfirm title="把试卷恢复成所选版本？" description="恢复后可以撤销。" onConfirm={() => change(difference(body, before), [...known.values()])}><Button>恢复成第 {from} 版</Button></Popconfirm>
            )}
          </Space>
          {before && after ? <Differences from={before} to={after} cards={known} /> : !error && <Skeleton active />}
        </>
      )}
    </Drawer>
  )
}

function Differences({ from, to, cards }: { from: PaperBody; to: PaperBody; cards: ReadonlyMap<number, PracticeCard> }) {
  const { questions, sections, count, points } = compare(from, to, ({ practice_id }) => cards.get(practice_id)?.content.children.length || 1)
  if (questions.length === 0 && sections.length === 0) return <Empty description="两个版本没有差别" />
  return (
    <>
      <p aria-live="polite">题数 {count[0]} → {count[1]}，总分 {points[0]} → {points[1]}；{questions.length} 题有变化。</p>
      {sections.length > 0 && <Space wrap size={4}>{sections.map((words) => <Tag key={words}>{words}</Tag>)}</Space>}
      <ul className="paper-candidates">
        {questions.map((one) => <Changed key={one.practice_id} change={one} card={cards.get(one.practice_id)} />)}
      </ul>
    </>
  )
}

const place = (at: QuestionChange['from']) => (at ? `${at.section} 第 ${at.number} 题 · ${at.score} 分` : '—')

function Changed({ change: { kinds, from, to }, card }: { change: QuestionChange; card: PracticeCard | undefined }) {
  return (
    <li>
      <div className="paper-item-bar">
        <Space size={4} wrap>{kinds.map((kind) => <Tag key={kind} color={TONES[kind]}>{CHANGE_KINDS[kind]}</Tag>)}<span>{card?.no ?? '试题已被删除'}</span></Space>
        <span>{place(from)} → {place(to)}</span>
      </div>
      {card && <Collapse ghost size="small" items={[{ key: 'text', label: '查看题目', children: <QuestionView content={card.content} answer="folded" /> }]} />}
    </li>
  )
}
