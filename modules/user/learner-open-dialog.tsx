import { Form, Input, Modal, Radio, Space, Table, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { formatDate } from '../../core/field/time.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { JobProgress } from '../../core/job/job-progress.tsx'
import { isMoving, useJob } from '../../core/job/use-job.tsx'
import { learnerEndpoints, MOST_OPENED, type Opened, type OpenPreview, type OpenRow } from './learner-calls.ts'
import { OPEN_SOURCES, type LearnerLine, type LearnerResource } from './learner.ts'
import { useSend } from './use-send.tsx'

/** What becomes of lines, in the order in which they are counted. */
const STATES: readonly { state: OpenRow['state']; label: string; tone: string }[] = [
  { state: 'new', label: '新用户', tone: 'processing' }, { state: 'known', label: '已有账号', tone: 'default' }, { state: 'goes_on', label: '顺延', tone: 'success' }, { state: 'bad', label: '不开通', tone: 'error' },
]
const stateOf = (state: OpenRow['state']) => STATES.find((one) => one.state === state)

/** Numbers as people paste them: a line, a cell or a comma apart. */
export const splitNumbers = (pasted: string): string[] => pasted.split(/[\s,，;；、]+/).filter(Boolean)

interface Values {
  offer_id?: number
  source: number
  mobiles: string
  reason?: string
}

/** The picker with what the form gives to an input. */
function Course({ product, id, value, onChange }: { product: LearnerLine['product']; id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={product.target()} label={product.label} id={id} value={value} onChange={(picked) => onChange?.(picked ?? undefined)} />
}

function Preview({ rows, counts }: OpenPreview) {
  return (
    <>
      <Space wrap className="form-alert" aria-live="polite">{STATES.filter(({ state }) => counts[state] > 0).map(({ state, label, tone }) => <Tag key={state} color={tone}>{label} {counts[state].toLocaleString('zh-CN')}</Tag>)}</Space>
      <Table<OpenRow> size="small" rowKey="row" virtual scroll={{ y: 300, x: 620 }} pagination={false} dataSource={rows} columns={[
        { title: '行', dataIndex: 'row', width: 60 },
        { title: '手机号', dataIndex: 'mobile', width: 130 },
        { title: '用户', dataIndex: 'name', width: 120, ellipsis: true },
        { title: '结果', width: 100, render: (_value, { state }) => stateOf(state)?.label },
        { title: '说明', render: (_value, { reason, state, start_at, expire_at }) => reason ?? (expire_at === null || start_at === null ? '' : state === 'goes_on' ? `${formatDate(start_at)} 起顺延至 ${formatDate(expire_at)}` : `开通至 ${formatDate(expire_at)}`) },
      ]} />
    </>
  )
}

/** 批量开通: pasted numbers, what becomes of each, and then the opening itself as a job. */
export function OpenLearnersDialog({ line: { product, name }, learners, onClose, reload }: { line: LearnerLine; learners: LearnerResource; onClose: () => void; reload: () => void }) {
  const endpoints = learnerEndpoints(learners)
  const [form] = Form.useForm<Values>()
  const [preview, setPreview] = useState<OpenPreview>()
  const [jobId, setJobId] = useState<number>()
  const { busy, problem, send } = useSend(form)
  const { job, cancel, retry } = useJob(jobId)
  const typed = Form.useWatch('mobiles', form) ?? ''
  const finish = () => { if (jobId !== undefined) reload(); onClose() }
  const close = useCloseGuard(jobId === undefined && typed !== '', '批量开通', finish)
  const asked = ({ offer_id = 0, source, mobiles }: Values) => ({ offer_id, source, mobiles: splitNumbers(mobiles) })
  const next = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    if (!preview) return setPreview(await call(endpoints.preview, asked(values), { quiet: true }))
    setJobId((await call(endpoints.open, { ...asked(values), reason: values.reason ?? '' }, { quiet: true })).job_id)
  })
  const good = preview ? preview.rows.length - preview.counts.bad : 0
  const done = job?.status === 'done' ? job.result as Partial<Opened> : undefined
  return (
    <Modal open title={`批量开通 · ${name}`} width={760} onCancel={jobId === undefined ? close : finish} mask={{ closable: false }}
      okText={jobId !== undefined ? (job && !isMoving(job) ? '完成' : '后台运行') : preview ? `开通 ${good.toLocaleString('zh-CN')} 个` : '预览'} confirmLoading={busy}
      okButtonProps={{ disabled: jobId === undefined && preview !== undefined && good === 0 }} cancelText={preview ? '返回修改' : '取消'}
      cancelButtonProps={{ hidden: jobId !== undefined, ...(preview && { onClick: () => setPreview(undefined) }) }}
      onOk={() => (jobId === undefined ? void next() : finish())}>
      {problem}
      {jobId !== undefined && (
        <>
          <JobProgress job={job} onCancel={cancel} onRetry={retry} />
          {done && <p>已开通 {(done.opened ?? 0).toLocaleString('zh-CN')} 个，24 小时内可在“开通记录”中撤销。</p>}
          {done?.left_out && done.left_out.length > 0 && <ul className="reasons">{done.left_out.slice(0, 50).map(({ row, mobile, reason }) => <li key={row}>第 {row} 行 {mobile}：{reason}</li>)}</ul>}
        </>
      )}
      <Form<Values> form={form} layout="vertical" initialValues={{ source: OPEN_SOURCES[0]?.value, mobiles: '' }} hidden={jobId !== undefined}>
        <div hidden={preview !== undefined}>
          <Form.Item name="offer_id" label={product.label} rules={[{ required: true, message: `请选择${product.label}` }]}><Course product={product} /></Form.Item>
          <Form.Item name="source" label="开通方式"><Radio.Group options={OPEN_SOURCES.map(({ value, label }) => ({ value, label }))} /></Form.Item>
          <Form.Item name="mobiles" label="手机号" extra={`可从表格整列粘贴，最多 ${MOST_OPENED.toLocaleString('zh-CN')} 个，已填 ${splitNumbers(typed).length.toLocaleString('zh-CN')} 个`} rules={[{ required: true, message: '请填写手机号' }]}>
            <Input.TextArea rows={8} autoComplete="off" spellCheck={false} />
          </Form.Item>
        </div>
        {preview && <><Preview {...preview} /><ReasonItem /></>}
      </Form>
    </Modal>
  )
}
