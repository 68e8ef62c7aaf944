import { ArrowLeftOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Skeleton, Tabs } from 'antd'
import { Suspense, useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { request } from '../endpoint/call.tsx'
import { formatMoney } from '../field/number.ts'
import { FieldCell } from '../record/field-cell.tsx'
import { useRowItems } from '../record/row-actions.tsx'
import { RowMenu, type RowItem } from '../record/row-menu.tsx'
import type { RecordLoader } from '../module/present.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { fieldOf, hasValue } from '../resource/meta-fields.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import { statusKey } from '../resource/status.ts'
import { useShell } from './shell-context.tsx'
import { useMinute } from '../ui/use-minute.tsx'
import { usePageKeys } from '../ui/use-page-keys.tsx'
import type { WaitingItem, WaitingSum } from '../inbox/waiting.ts'
import { dueWords, urgency, waitedWords } from '../inbox/words.ts'

interface Props {
  item: WaitingItem
  /** What is known of its kind. */
  sum: WaitingSum | undefined
  /** After something was done about it. */
  onChanged: () => void
  onNext: (() => void) | undefined
  /** Leads back to the queue, where both do not stand beside each other. */
  onBack: (() => void) | undefined
}

interface Known {
  resource: Resource
  presentation: Presentation
}

const NO_ACTIONS: readonly never[] = []

/** Where the definition of an item's record is loaded: its screen, or what its module says of it. */
function useRecordLoader({ resource, to }: WaitingItem): RecordLoader | undefined {
  const { modules, groups } = useShell()
  if (resource === null) return undefined
  const own = modules.flatMap(({ records }) => records[resource] ?? [])[0]
  // A record's own page names the screen by its number.
  const number = Number(/^\/record\/(\d+)\//.exec(to)?.[1])
  const path = groups.flatMap(({ screens }) => screens).find(({ id }) => id === number)?.path ?? to.split('?')[0] ?? ''
  const screen = modules.flatMap(({ screens }) => screens[path] ?? [])[0]
  return own ?? (screen?.resource ? { ...screen, resource: screen.resource } : undefined)
}

function Key({ name }: { name: string }) {
  return <kbd aria-hidden>{name}</kbd>
}

/** What it is and how long it has waited. */
function Head({ item, sum, state, onBack }: Pick<Props, 'item' | 'sum' | 'onBack'> & { state?: ReactNode }) {
  const now = useMinute()
  return (
    <header className="case-head">
      {onBack && <Button type="text" icon={<ArrowLeftOutlined />} onClick={onBack}>返回</Button>}
      <div>
        <small>{sum?.title ?? ''}{item.note && ` · ${item.note}`}</small>
        <h2>{item.title}</h2>
        <p>{state}<span>等了 {waitedWords(item.since, now)}</span>{item.due !== null && <span data-urgency={urgency(item, now)}>{dueWords(item.due, now)}{urgency(item, now) === 'late' ? '' : ' 到期'}</span>}</p>
      </div>
      {item.amount !== null && <strong className="case-amount">{formatMoney(item.amount)}</strong>}
    </header>
  )
}

/** What can be done now; the decision first, with its keys. */
function DecideBar({ item, items, onNext, onChanged }: Pick<Props, 'item' | 'onNext' | 'onChanged'> & { items: readonly RowItem[] }) {
  const navigate = useNavigate()
  const { message } = App.useApp()
  const { done } = item
  const settle = done === null ? undefined : { label: '办完了', run: () => void request('POST', done, { done: true }).then(() => { void message.success('已办完'); onChanged() }, () => undefined) }
  const free = items.filter(({ key, refused }) => refused === undefined && key !== 'open')
  const pass = settle ?? free.find(({ key }) => key === item.pass)
  const refuse = free.find(({ key }) => key === item.refuse)
  const others = items.filter((one) => one !== pass && one !== refuse && one.key !== 'open')
  // Why the decision is not this person's, in words.
  const why = items.find(({ key, refused }) => key === item.pass && refused !== undefined)?.refused
  usePageKeys({ ...(pass && { p: pass.run }), ...(refuse && { r: refuse.run }) })
  return (
    <footer className="case-bar">
      {pass && <Button type="primary" size="large" onClick={pass.run}>{pass.label} <Key name="P" /></Button>}
      {refuse && <Button size="large" onClick={refuse.run}>{refuse.label} <Key name="R" /></Button>}
      {!pass && <Button size="large" type="primary" onClick={() => void navigate(item.to)}>打开 <Key name="Enter" /></Button>}
      {others.length > 0 && <RowMenu label="更多操作" items={others} />}
      {why && <span className="case-why">{why}</span>}
      <span className="case-space" />
      {pass && <Button type="text" onClick={() => void navigate(item.to)}>打开 <Key name="Enter" /></Button>}
      {onNext && <Button type="text" onClick={onNext}>下一件 <Key name="N" /></Button>}
    </footer>
  )
}

/** A record as its own definition shows it, with what can be done about it. */
function RecordCase({ resource, presentation, row, again, ...props }: Props & Known & { row: WireRow; again: () => void }) {
  const { item } = props
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<{ key: string; row: WireRow }>()
  const tools: RowTools = useMemo(() => ({ reload: again, open: (key, of) => setDialog({ key, row: of }) }), [again])
  const open = () => void navigate(item.to)
  const items = useRowItems({ resource, row, more: presentation.rowActions ?? NO_ACTIONS, onOpen: open, onEdit: open, tools })
  const state = statusKey(resource)
  const { details = [], head: Above } = presentation.slots ?? {}
  const keys = Object.keys(resource.fields).filter((key) => key !== state && key !== 'amount' && !(key in resource.where) && hasValue(fieldOf(resource, key)) && row[key] !== null && row[key] !== undefined && row[key] !== '')
  const Dialog = dialog && presentation.dialogs?.[dialog.key]
  const facts = (
    <dl className="case-facts">
      {keys.map((key) => <div key={key}><dt>{fieldOf(resource, key).label}</dt><dd><FieldCell resource={resource} presentation={presentation} name={key} row={row} brief onChanged={again} /></dd></div>)}
    </dl>
  )
  return (
    <>
      <div className="case-body">
        <Head {...props} state={state && <FieldCell resource={resource} presentation={presentation} name={state} row={row} brief onChanged={again} />} />
        {Above && <Above row={row} reload={again} />}
        {details.length === 0 ? facts : (
          <Tabs size="small" items={[...details.map(({ key, label, Content }) => ({ key, label, children: <Content row={row} reload={again} /> })), { key: 'facts', label: '详情', children: facts }]} />
        )}
      </div>
      <DecideBar item={item} items={items} onNext={props.onNext} onChanged={props.onChanged} />
      <Suspense>{Dialog && <Dialog key={dialog.key} row={dialog.row} reload={again} onClose={() => setDialog(undefined)} open={(key) => setDialog({ ...dialog, key })} />}</Suspense>
    </>
  )
}

/** Something that is worked on elsewhere: what its module shows of it, and the way there. */
function PlainCase(props: Props) {
  const { item } = props
  const { modules } = useShell()
  const Content = modules.flatMap(({ cases }) => cases[item.resource ?? ''] ?? [])[0]
  return (
    <>
      <div className="case-body"><Head {...props} />{Content && <Suspense fallback={<Skeleton active />}><Content id={item.record} /></Suspense>}</div>
      <DecideBar item={props.item} items={NO_ACTIONS} onNext={props.onNext} onChanged={props.onChanged} />
    </>
  )
}

function LoadedCase({ loader, ...props }: Props & { loader: RecordLoader }) {
  const { item, onChanged } = props
  const { data: known, error: broken } = useQuery({
    queryKey: ['definition', item.resource], staleTime: Infinity,
    queryFn: async (): Promise<Known> => {
      const [resource, presentation] = await Promise.all([loader.resource(), loader.presentation?.()])
      return { resource, presentation: presentation ?? {} }
    },
  })
  const { data: row, error, refetch } = useQuery({
    queryKey: ['record', item.resource, item.record], enabled: known !== undefined,
    queryFn: ({ signal }) => request<WireRow>('GET', `${known?.resource.api.item ?? ''}/${item.record}`, {}, { signal, quiet: true }),
  })
  const again = useMemo(() => () => {
    void refetch()
    onChanged()
  }, [refetch, onChanged])
  const problem = broken ?? error
  // A screen may show more than one kind of record.
  if (known && known.resource.name !== item.resource) return <PlainCase {...props} />
  if (problem) return <div className="case-body"><Head {...props} /><Alert type="error" showIcon title={problem.message} action={<Button size="small" onClick={again}>重试</Button>} /></div>
  if (!known || !row) return <div className="case-body"><Head {...props} /><Skeleton active paragraph={{ rows: 8 }} /></div>
  return <RecordCase {...props} {...known} row={row} again={again} />
}

/** One thing that waits, with everything that it takes to decide about it. */
export function Case(props: Props) {
  const loader = useRecordLoader(props.item)
  return <article className="case" aria-label={props.item.title}>{loader ? <LoadedCase {...props} loader={loader} /> : <PlainCase {...props} />}</article>
}
