import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Skeleton, Table } from 'antd'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { BulkActDialog } from '../code/door.tsx'
import { CODE_ACTIONS, CODE_STATUS } from '../code/module.ts'
import { activationCode, authorizationCodes } from './authorization-code.ts'
import { codeDiversion, DIVERSION_RIGHTS, diversionEvidence, scanDiversion, type DivertedCode, type DivertedPart } from './diversion.ts'
import './diversion.css'

const PARTS: Readonly<Record<DivertedPart['key'], string>> = { away: '异地占比', burst: '集中激活', price: '价格差', study: '学习地印证' }
/** A column in which nothing is known is left out. */
const COLUMNS: readonly { title: string; dataIndex: keyof DivertedCode; render?: (at: number) => string }[] = [
  { title: '授权码', dataIndex: 'code' }, { title: '激活时间', dataIndex: 'activated_at', render: (at) => formatTime(at).slice(0, 16) }, { title: '激活学校', dataIndex: 'school_name' }, { title: '手机', dataIndex: 'mobile' },
  { title: '登记地区', dataIndex: 'home' }, { title: '主要学习地', dataIndex: 'studied' }, { title: '激活 IP', dataIndex: 'ip' },
]
const freeze = CODE_ACTIONS.find(({ name }) => name === 'freeze')

/** What speaks for it and which codes they are: enough to ask the partner. */
function Evidence({ row }: { row: WireRow<typeof codeDiversion> }) {
  const { data, error } = useQuery({ queryKey: ['code_diversion', row.id, 'evidence', row.last_at], queryFn: ({ signal }) => call(diversionEvidence, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const list = `/new-study-room/authorization-detail?${new URLSearchParams(Object.entries(data.query).flatMap(([key, values]) => values.map((value) => [key, value])))}`
  return (
    <>
      {(row.parts ?? []).map(({ key, points, most, why }) => <div key={key} className="radar-part"><span>{PARTS[key]}</span><b className="figure">{points} / {most}</b><span className="note">{why}</span></div>)}
      <p>{data.schools.map(({ name, place, n }) => `${name}（${place}）${n} 个`).join('；')}；同批还有 {data.left.toLocaleString('zh-CN')} 个码未使用。<Link to={list}>查看这 {data.total.toLocaleString('zh-CN')} 个码</Link></p>
      <Table size="small" rowKey="id" dataSource={data.codes} scroll={{ x: 'max-content' }} pagination={{ pageSize: 10, hideOnSinglePage: true, size: 'small' }} columns={COLUMNS.filter(({ dataIndex }) => data.codes.some((code) => code[dataIndex] !== null))} />
    </>
  )
}

/** Codes that nobody has activated yet are held up; it can be taken back code by code (解冻). */
function FreezeDialog({ row, reload, onClose }: RowDialogProps<typeof codeDiversion>) {
  if (!freeze) return null
  const done = () => { reload(); onClose() }
  return <BulkActDialog family={authorizationCodes} action={freeze} meant={{ query: { group_id: [String(row.group_id)], status: [String(CODE_STATUS.unused)] } }} many="同批未使用的码" onClose={onClose} onDone={done} />
}

function Scan({ reload }: { reload: () => void }) {
  const { message } = App.useApp()
  const can = useCan()
  if (!can(DIVERSION_RIGHTS.id('judge'))) return null
  const run = async () => {
    const { found } = await call(scanDiversion, undefined)
    void message.success(found > 0 ? `新发现 ${found} 条线索` : '没有新的线索')
    reload()
  }
  return <Button onClick={() => void run()}>立即查找</Button>
}

export default present(codeDiversion)({
  slots: { toolbar: Scan, details: [{ key: 'evidence', label: '证据', Content: Evidence }] },
  rowActions: [{ key: 'freeze', label: '冻结未用码', grant: activationCode.rights.id(freeze?.right ?? 'freeze') }],
  dialogs: { freeze: FreezeDialog },
})
