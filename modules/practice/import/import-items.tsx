import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Empty, Pagination, Segmented, Skeleton, Tag } from 'antd'
import { lazy, Suspense, useState, type KeyboardEvent } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { DIFFICULTIES } from '../bank/practice.ts'
import { isTyping } from '../ui/use-keys.tsx'
import { TYPES } from '../content/question.ts'
import { QuestionView } from '../content/render.tsx'
import type { Likeness } from '../content/fingerprint.ts'
import type { Warning } from '../formats/item.ts'
import { acceptSuggestions, ITEMS_PAGE, listImportItems, mendImportItem, skipImportItem, skipImportItems, type ImportBatch, type ImportItem } from './calls.ts'

const MendDrawer = lazy(() => import('./mend-drawer.tsx').then((file) => ({ default: file.MendDrawer })))

type Filter = 'all' | 'good' | 'hint' | 'problem' | 'alike' | 'skipped'

const LIKE_WORDS: Readonly<Record<Likeness, string>> = { same: '重复', suspected: '疑似重复', variant: '变式' }

function facts({ question }: ImportItem): string[] {
  if (!question) return []
  return [
    question.category ?? TYPES.find((type) => type.value === question.type)?.label ?? '', question.subject ?? '', question.source_years.join('、'), question.exam_region ?? '',
    question.score === null ? '' : `${question.score} 分`, question.labels.map((path) => path.at(-1)).join('、'),
  ].filter(Boolean)
}

/** A part of the question that was read with doubt, with what was taken for it. */
function Doubt({ warning }: { warning: Warning }) {
  return <Alert type="warning" showIcon title={`${warning.message}${warning.guess ? `，已按「${warning.guess}」读入` : ''}，请对照原文件核对`} className="import-warning" />
}

/** What the nearest questions say, each label with the questions that have it; accepted by a click, the first one by A. */
function SuggestionBar({ item, onAccept }: { item: ImportItem; onAccept: (labelId: number) => void }) {
  const { suggested, question } = item
  if (!suggested || !question || item.practice_id !== null) return null
  const difficulty = question.difficulty === null ? DIFFICULTIES.find(({ value }) => value === suggested.difficulty)?.label : undefined
  const labels = question.labels.length > 0 ? suggested.labels.slice(0, 1) : suggested.labels
  return (
    <div className="import-suggested">
      <span className="note">{suggested.sure ? '建议（有把握）' : '建议'}</span>
      {labels.map((label, index) => (
        <Button key={label.id} size="small" type={index === 0 && suggested.sure ? 'primary' : 'default'} ghost={index === 0 && suggested.sure} title={`${label.path.join(' / ')}；依据：${label.neighbours.map(({ no }) => no).join('、')}`} onClick={() => onAccept(label.id)}>
          {question.labels.length > 0 ? '难度' : label.path.at(-1)}{difficulty ? ` · ${difficulty}` : ''}{index === 0 ? '（A）' : ''}
        </Button>
      ))}
      <span className="note">依据 {labels[0]?.neighbours.map(({ no }) => no).join('、')}</span>
    </div>
  )
}

interface ItemProps {
  item: ImportItem
  onAccept: (labelId: number) => void
  onSkip: (skip: boolean) => void
  onMend: () => void
  /** Somebody has compared an uncertain reading with the file and found it right. */
  onConfirm: () => void
}

function Item({ item, onAccept, onSkip, onMend, onConfirm }: ItemProps) {
  const first = item.suggested?.labels[0]?.id
  const doubts = item.warnings.filter((warning) => warning.part !== undefined)
  const ofAnswer = doubts.filter((warning) => warning.part === 'answer')
  return (
    <li className={item.skip ? 'import-item import-skipped' : 'import-item'} {...(first !== undefined && item.practice_id === null && {
      tabIndex: 0, 'aria-label': `${item.place}，A 采用建议`, onKeyDown: (event: KeyboardEvent<HTMLLIElement>) => {
        if (event.key.toLowerCase() !== 'a' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
        event.preventDefault()
        onAccept(first)
        // The next one is at hand.
        const next = event.currentTarget.nextElementSibling
        if (next instanceof HTMLElement) next.focus()
      },
    })}>
      <header>
        {item.question && item.practice_id === null ? <Checkbox checked={!item.skip} onChange={(event) => onSkip(!event.target.checked)}><b>{item.place}</b></Checkbox> : <b>{item.place}</b>}
        {facts(item).map((fact, index) => <Tag key={index}>{fact}</Tag>)}
        {item.like_kind && <Tag color={item.like_kind === 'same' ? 'error' : 'warning'}>{LIKE_WORDS[item.like_kind]} {item.like_no}</Tag>}
        {item.practice_id !== null ? <Tag color="success">已入库</Tag> : item.question && <Button size="small" type="link" aria-label={`修改${item.place}`} onClick={onMend}>修改</Button>}
      </header>
      {item.warnings.filter((warning) => warning.part === undefined).map((warning, index) => <Alert key={index} type={warning.level === 'problem' ? 'error' : 'info'} title={warning.message} className="import-warning" />)}
      {doubts.filter((warning) => warning.part !== 'answer').map((warning, index) => <Doubt key={index} warning={warning} />)}
      <SuggestionBar item={item} onAccept={onAccept} />
      {item.question && <QuestionView content={item.question} answer={ofAnswer.length > 0 ? 'shown' : 'folded'} />}
      {ofAnswer.map((warning, index) => <Doubt key={index} warning={warning} />)}
      {doubts.length > 0 && item.question && item.practice_id === null && <Button size="small" aria-label={`核对无误${item.place}`} onClick={onConfirm}>核对无误</Button>}
    </li>
  )
}

/** What the file holds, question by question, with what is to be said about each. */
export function ImportItems({ batch, onChanged }: { batch: ImportBatch; onChanged: () => void }) {
  const { message } = App.useApp()
  const { counts } = batch
  const [filter, setFilter] = useState<Filter>(counts.problem > 0 ? 'problem' : 'all')
  const [page, setPage] = useState(0)
  const [mending, setMending] = useState<ImportItem>()
  const { data, refetch, error, isPending } = useQuery({
    queryKey: ['practice-import', batch.id, batch.job_id, 'items', filter, page],
    queryFn: ({ signal }) => call(listImportItems, { page, ...(filter !== 'all' && { state: filter }) }, { params: { id: batch.id }, signal, quiet: true }),
  })
  const skip = async (item: ImportItem, on: boolean) => {
    await call(skipImportItem, { skip: on }, { params: { id: batch.id, ord: item.ord } })
    await refetch()
    onChanged()
  }
  const confirm = async (item: ImportItem) => {
    await call(mendImportItem, { question: item.question }, { params: { id: batch.id, ord: item.ord }, keepEmpty: true })
    void message.success('已核对')
    await refetch()
    onChanged()
  }
  const accept = async (items?: { ord: number; label_id: number }[]) => {
    const { changed, left } = await call(acceptSuggestions, items ? { items } : {}, { params: { id: batch.id } })
    if (!items) void message.success(`已采用 ${changed} 道${left > 0 ? `，还有 ${left} 道的建议没有把握，请逐题看` : ''}`)
    await refetch()
    onChanged()
  }
  const skipAll = async (on: boolean) => {
    const { changed } = await call(skipImportItems, { skip: on, ...(filter !== 'all' && { state: filter }) }, { params: { id: batch.id } })
    void message.success(on ? `已跳过 ${changed} 道` : `已恢复 ${changed} 道`)
    await refetch()
    onChanged()
  }
  const options: { value: Filter; label: string }[] = [
    { value: 'all', label: `全部 ${counts.all}` }, { value: 'problem', label: `有问题 ${counts.problem}` }, { value: 'hint', label: `有提示 ${counts.hint}` },
    { value: 'good', label: `无误 ${counts.good}` }, { value: 'alike', label: `相似 ${counts.alike}` }, { value: 'skipped', label: `已跳过 ${counts.skipped}` },
  ]
  return (
    <section aria-label="待导入的试题">
      <div className="import-filter"><Segmented<Filter> aria-label="筛选" value={filter} onChange={(next) => { setFilter(next); setPage(0) }} options={options} /></div>
      {batch.state !== 'undone' && counts.written < counts.all && (
        <div className="import-choose"><span className="note">勾选的入库</span><Button size="small" onClick={() => void skipAll(false).catch(() => undefined)}>全部勾选</Button><Button size="small" onClick={() => void skipAll(true).catch(() => undefined)}>全部不选</Button>{counts.sure > 0 && <Button size="small" onClick={() => void accept().catch(() => undefined)}>采用有把握的知识点建议（{counts.sure}）</Button>}</div>
      )}
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {isPending && !error && <Skeleton active />}
      {data?.items.length === 0 && <Empty description="没有这样的试题" />}
      <ul className="import-items">{data?.items.map((item) => <Item key={item.ord} item={item} onAccept={(label_id) => void accept([{ ord: item.ord, label_id }]).catch(() => undefined)} onSkip={(on) => void skip(item, on).catch(() => undefined)} onMend={() => setMending(item)} onConfirm={() => void confirm(item).catch(() => undefined)} />)}</ul>
      {data && data.total > ITEMS_PAGE && <Pagination size="small" current={page + 1} pageSize={ITEMS_PAGE} total={data.total} showSizeChanger={false} onChange={(next) => setPage(next - 1)} />}
      {mending?.question && (
        <Suspense>
          <MendDrawer key={mending.ord} batch={batch} item={mending} question={mending.question} onClose={() => setMending(undefined)}
            onMended={() => { setMending(undefined); void refetch(); onChanged() }} />
        </Suspense>
      )}
    </section>
  )
}
