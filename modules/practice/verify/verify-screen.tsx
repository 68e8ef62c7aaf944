import { PictureOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Empty, Form, Modal, Segmented, Select, Skeleton, Space, Table, Tabs, Tag } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { ReasonItem } from '../../../core/form/reason-item.tsx'
import { usePreference } from '../../../core/preference/use-preference.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { getPractice } from '../bank/calls.ts'
import { QuestionView } from '../content/render.tsx'
import { practiceVersion } from '../edit/calls.ts'
import { Difference } from '../edit/rail.tsx'
import { writtenOf } from '../edit/written.ts'
import { ReportList } from '../report/reports-panel.tsx'
import { DifficultyTag, sourceWords } from '../ui/practice-card.tsx'
import { scanKeys, ScanPane } from '../ui/scan-pane.tsx'
import { useReloadPractices } from '../ui/use-moves.tsx'
import { usePlainKeys } from '../ui/use-keys.tsx'
import { useSubjects } from '../ui/use-practice.tsx'
import { claimPractice, passPractice, rejectPractice, releasePractice, scoreCards, verifyHistory, verifyQueue, type ScoreCard, type Waiting } from './calls.ts'
import { TRUSTED_GRANT } from './batch-calls.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { SETTINGS_GRANT } from './settings.ts'
import { Elapsed } from './elapsed.tsx'
import { CHECKLIST, ERROR_TYPES, ROUNDS } from './state.ts'
import '../../../core/list/list.css'
import '../ui/bank.css'
import '../edit/editor.css'
import './verify.css'

type Queue = 'mine' | 'all' | 'rejected'
type Checked = (typeof CHECKLIST)[number]

const BatchDrawer = lazy(() => import('./batch-drawer.tsx').then((file) => ({ default: file.BatchDrawer })))
const ReportTable = lazy(() => import('../report/report-table.tsx'))

/** 试题审核: what waits to be checked, and what readers have reported (domain 1.11, 3.5). */
export default function VerifyScreen() {
  const [query, setQuery] = useSearchParams()
  return (
    <Tabs className="verify-tabs" activeKey={query.get('show') === 'reports' ? 'reports' : 'queue'} destroyOnHidden onChange={(key) => setQuery(key === 'reports' ? { show: key } : {})} items={[
      { key: 'queue', label: '待校试题', children: <CheckQueue /> },
      { key: 'reports', label: '报错', children: <Suspense fallback={<Skeleton active />}><ReportTable practiceId={query.get('practice_id') ?? undefined} onAll={() => setQuery({ show: 'reports' })} /></Suspense> },
    ]} />
  )
}

/** A queue at the left, the question in the middle, the decision at the right; all of it by keyboard. */
function CheckQueue() {
  const { message } = App.useApp()
  const can = useCan()
  const subjects = useSubjects()
  const [queue, setQueue] = useState<Queue>('all')
  const [round, setRound] = useState<number>()
  const [catId, setCatId] = useState<number>()
  // The inbox leads here with one question.
  const [search] = useSearchParams()
  const wanted = Number(search.get('open')) || undefined
  const [at, setAt] = useState<number>()
  const [cards, setCards] = useState(false)
  const [settings, setSettings] = useState(false)
  const [trusted, setTrusted] = useState(false)
  const [rejecting, setRejecting] = useState(false)
  const [seen, setSeen] = useState<readonly Checked[]>([])
  const began = useRef(0)
  const [beside, setBeside] = usePreference('practice:scans', true)
  const reload = useReloadPractices()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['verify-queue', queue, round, catId],
    queryFn: ({ signal }) => call(verifyQueue, { queue, ...(round && { round: String(round) as '1' }), ...(catId && { cat_id: String(catId) }) }, { signal, quiet: true }),
  })
  const items = data?.items ?? []
  const place = Math.min(at ?? Math.max(0, items.findIndex((item) => item.practice.id === wanted)), Math.max(0, items.length - 1))
  const current = items[place]
  const id = current?.practice.id
  useEffect(() => {
    began.current = Date.now()
  }, [id])
  const go = (to: number) => {
    setAt(Math.max(0, Math.min(items.length - 1, to)))
    setSeen([])
  }
  const seconds = () => Math.min(86_400, Math.round((Date.now() - began.current) / 1000))
  const decide = async (work: () => Promise<unknown>, words: string) => {
    try {
      await work()
      void message.success(words)
      setSeen([])
    } catch {
      // The shell has shown why; the queue is read again, since somebody else may have been faster.
    }
    setRejecting(false)
    await reload()
  }
  const mayDecide = current !== undefined && queue !== 'rejected' && current.refusal === null && (current.claimed_by === null || current.claimed_by_me) && can(ROUNDS.find((one) => one.round === current.round)?.grant)
  /** A person who begins to check a question claims it, so that nobody else reads it meanwhile. */
  const begin = async () => {
    if (!current || current.claimed_by_me) return
    await call(claimPractice, undefined, { params: { id: current.practice.id } })
  }
  const check = (next: readonly Checked[]) => {
    setSeen(next)
    if (mayDecide && next.length > 0 && !current.claimed_by_me) void begin().then(reload, reload)
  }
  const pass = () => {
    if (!current) return
    const unseen = CHECKLIST.filter((one) => !seen.includes(one))
    if (unseen.length > 0) return void message.warning({ key: 'unseen', content: `请先核对：${unseen.join('、')}` })
    const { id: practiceId, rev } = current.practice
    return decide(async () => {
      await begin()
      await call(passPractice, { rev, seconds: seconds(), checked: [...seen] }, { params: { id: practiceId } })
    }, current.round === 3 ? '已通过并发布' : '已通过')
  }
  const claim = (on: boolean) => current && decide(() => (on ? call(claimPractice, undefined, { params: { id: current.practice.id } }) : call(releasePractice, undefined, { params: { id: current.practice.id } })), on ? '已领取，30 分钟内有效' : '已释放')
  const scans = current?.practice.scans ?? []
  const turnScans = () => setBeside(!beside)
  usePlainKeys({
    ArrowLeft: () => go(place - 1), ArrowRight: () => go(place + 1), ...(scans.length > 0 && { s: turnScans, S: turnScans }),
    ...(mayDecide && { p: () => void pass(), P: () => void pass(), c: () => check(CHECKLIST), C: () => check(CHECKLIST), r: () => setRejecting(true), R: () => setRejecting(true) }),
  })
  return (
    <section className="verify" aria-label="试题审核">
      <div className="verify-bar">
        <Space wrap>
          <Segmented<Queue> value={queue} onChange={(next) => { setQueue(next); setAt(0) }} options={[{ value: 'mine', label: '我的待校' }, { value: 'all', label: '全部待校' }, { value: 'rejected', label: '我退回的' }]} />
          <Select allowClear className="verify-select" aria-label="轮次" placeholder="全部轮次" value={round ?? null} options={ROUNDS.map((one) => ({ value: one.round as number, label: one.label }))} onChange={(next?: number | null) => { setRound(next ?? undefined); setAt(0) }} />
          <Select allowClear className="verify-select" aria-label="学科" placeholder="全部学科" value={catId ?? null} showSearch={{ optionFilterProp: 'label' }} options={subjects.map(({ id: subject, name }) => ({ value: subject, label: name }))} onChange={(next?: number | null) => { setCatId(next ?? undefined); setAt(0) }} />
          <Button onClick={() => void refetch()}>刷新</Button>
          <Button onClick={() => setCards(true)}>录入质量</Button>
          {can(TRUSTED_GRANT) && <Button onClick={() => setTrusted(true)}>批量通过可信来源</Button>}
          {can(SETTINGS_GRANT) && <Button onClick={() => setSettings(true)}>校对设置</Button>}
        </Space>
        <span className="note" aria-live="polite">{items.length > 0 ? `第 ${place + 1} / ${data?.total ?? items.length} 道` : ''}　← → 切换　C 全部核对　P 通过　R 退回{scans.length > 0 && `　S 显示或收起原题${beside ? `　${scanKeys(scans.length)}` : ''}`}</span>
      </div>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {isPending && !error ? <Skeleton active paragraph={{ rows: 8 }} /> : !current ? <Empty description={queue === 'rejected' ? '没有退回的试题' : '没有待校的试题'} /> : (
        <div className="verify-split">
          <div className="verify-pair">
            {scans.length > 0 && beside && <ScanPane scans={scans} onHide={turnScans} />}
            <div className="edit-paper">
              <header className="edit-head-plain"><b className="figure">{current.practice.no}</b> <Tag color="processing">{ROUNDS.find((one) => one.round === current.round)?.label ?? '已退回'}</Tag><DifficultyTag value={current.practice.difficulty} />{current.practice.urgent === 1 && <Tag color="error">加急</Tag>} <span className="note">{current.practice.subject_name} · {sourceWords(current.practice)}</span>{scans.length > 0 && !beside && <Button size="small" icon={<PictureOutlined />} onClick={turnScans}>显示原题</Button>}</header>
              <QuestionView content={current.practice.content} answer="shown" />
              <div className="bank-labels">{current.practice.labels.map((label) => <Tag key={label.id} className={label.main ? 'label-main' : undefined}>{label.name}</Tag>)}</div>
            </div>
          </div>
          <aside className="edit-paper verify-side">
            <div className="bank-facts">{current.blind ? <span>双盲二校，完成后显示录入人和一校意见</span> : <span>录入 {current.practice.owner_name ?? '—'}</span>}{current.practice.verifier1_name && <span>一校 {current.practice.verifier1_name}</span>}{current.practice.assignee_name && <span>指派 {current.practice.assignee_name}</span>}<Elapsed key={id} began={began} /></div>
            {current.claimed_by && <Alert type={current.claimed_by_me ? 'success' : 'warning'} title={`${current.claimed_by_me ? '我已领取' : `${current.claimed_by}正在校对`}，到 ${formatTime(current.until ?? 0).slice(11, 16)}`} />}
            {current.refusal && <Alert type="warning" title={current.refusal} />}
            <Checkbox checked={seen.length === CHECKLIST.length} indeterminate={seen.length > 0 && seen.length < CHECKLIST.length} disabled={!mayDecide} onChange={({ target }) => check(target.checked ? CHECKLIST : [])}>全部核对（C）</Checkbox>
            <Checkbox.Group<Checked> className="verify-list" disabled={!mayDecide} value={[...seen]} options={CHECKLIST.map((label) => ({ value: label, label }))} onChange={(next) => check(next)} />
            <Space wrap>
              <Button type="primary" disabled={!mayDecide} onClick={() => void pass()}>{current.round === 3 ? '通过并发布（P）' : '通过（P）'}</Button>
              <Button danger disabled={!mayDecide} onClick={() => setRejecting(true)}>退回（R）</Button>
              {current.claimed_by_me ? <Button onClick={() => void claim(false)}>释放</Button> : <Button disabled={!mayDecide} onClick={() => void claim(true)}>领取</Button>}
            </Space>
            {current.practice.urgent === 1 && <ReportList key={`r${id}`} id={current.practice.id} />}
            {!current.blind && <History key={`h${id}`} id={current.practice.id} />}
            {current.practice.version_no > 1 && <LastChange key={`v${id}`} waiting={current} />}
          </aside>
        </div>
      )}
      {rejecting && current && <RejectDialog waiting={current} onClose={() => setRejecting(false)} onDone={(reason, errors) => void decide(async () => {
        await begin()
        await call(rejectPractice, { reason, errors: [...errors], rev: current.practice.rev, seconds: seconds() }, { params: { id: current.practice.id } })
      }, '已退回')} />}
      {trusted && <Suspense><BatchDrawer onClose={() => setTrusted(false)} /></Suspense>}
      {settings && <SettingsDialog onClose={() => setSettings(false)} />}
      {cards && <Cards onClose={() => setCards(false)} />}
    </section>
  )
}

/** What earlier rounds found. */
function History({ id }: { id: number }) {
  const { data } = useQuery({ queryKey: ['practice', id, 'verify'], queryFn: ({ signal }) => call(verifyHistory, undefined, { params: { id }, signal }) })
  if (!data || data.items.length === 0) return <p className="note">还没有校对记录</p>
  return (
    <ul className="verify-history">
      {data.items.map((entry) => (
        <li key={entry.id}>{ROUNDS.find((one) => one.round === entry.round)?.label} <Tag color={entry.passed ? 'success' : 'error'}>{entry.passed ? '通过' : '退回'}</Tag>{entry.staff_name} <time className="figure">{formatTime(entry.at).slice(5, 16)}</time>{entry.errors.map((error) => <Tag key={error}>{error}</Tag>)}{entry.note && <div>{entry.note}</div>}</li>
      ))}
    </ul>
  )
}

/** What the last saving changed. */
function LastChange({ waiting: { practice: { id, version_no } } }: { waiting: Waiting }) {
  const before = useQuery({ queryKey: ['practice', id, 'version', version_no - 1], queryFn: ({ signal }) => call(practiceVersion, undefined, { params: { id, no: version_no - 1 }, signal }) })
  const now = useQuery({ queryKey: ['practice', id], queryFn: ({ signal }) => call(getPractice, undefined, { params: { id }, signal }) })
  if (!before.data || !now.data) return null
  return <details><summary>与上一版本的不同</summary><Difference before={before.data.snapshot} after={writtenOf(now.data)} names={['上一版本', '现在']} /></details>
}

/** Sends a question back: what is wrong, and why. */
function RejectDialog({ waiting, onClose, onDone }: { waiting: Waiting; onClose: () => void; onDone: (reason: string, errors: readonly (typeof ERROR_TYPES)[number][]) => void }) {
  const [form] = Form.useForm<{ reason: string; errors: (typeof ERROR_TYPES)[number][] }>()
  return (
    <Modal open title={`退回 ${waiting.practice.no}`} okText="退回" okButtonProps={{ danger: true }} onCancel={onClose} onOk={() => void form.validateFields().then(({ reason, errors }) => onDone(reason, errors), () => undefined)}>
      <Form form={form} layout="vertical">
        <Form.Item name="errors" label="错误类型" rules={[{ required: true, message: '请选择错误类型' }]}><Checkbox.Group options={ERROR_TYPES.map((label) => ({ value: label, label }))} /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** How well people write. */
function Cards({ onClose }: { onClose: () => void }) {
  const { data, isPending } = useQuery({ queryKey: ['score-cards'], queryFn: ({ signal }) => call(scoreCards, undefined, { signal }) })
  return (
    <Modal open title="录入质量" width={760} footer={null} onCancel={onClose}>
      <Table<ScoreCard> rowKey="owner_id" size="small" loading={isPending} dataSource={data?.items ?? []} pagination={false} scroll={{ x: 680, y: 420 }} locale={{ emptyText: '还没有校对记录' }} columns={[
        { title: '录入人', dataIndex: 'name' },
        { title: '已校', dataIndex: 'checked', align: 'right' },
        { title: '一次通过率', key: 'pass', align: 'right', render: (_, row) => `${Math.round(row.first_pass * 100)}%` },
        { title: '差错/百题', dataIndex: 'errors_per_100', align: 'right' },
        { title: '平均用时', key: 'seconds', align: 'right', render: (_, row) => (row.seconds === null ? '—' : `${row.seconds} 秒`) },
        { title: '二校抽检', key: 'sample', align: 'right', render: (_, row) => `${row.sample_percent}%` },
        { title: '差错', key: 'errors', render: (_, row) => Object.entries(row.by_error).map(([error, n]) => <Tag key={error}>{error} {n}</Tag>) },
      ]} />
    </Modal>
  )
}
