import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Descriptions, Empty, Form, Image, Input, Skeleton, Table } from 'antd'
import { Link } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { briefTime } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { applyCheck, type LikeApply } from './calls.ts'
import { APPLY_STATES } from './kind.ts'

/** A kind of applications as its screen shows it. */
export interface ShownApply {
  readonly resource: Resource
  readonly path: string
  /** Papers that are asked for most. */
  readonly pieces: readonly string[]
}

interface Row { id: number; rev: number; licence?: string[] | null }

/** What somebody who decides looks at: the papers, others that may be the same, what stands in the way, what came of it. */
function Check({ kind: { resource, path }, row }: { kind: ShownApply; row: Row }) {
  const can = useCan()
  const { data, error, refetch } = useQuery({ queryKey: ['apply-check', resource.name, row.id, row.rev], queryFn: ({ signal }) => call(applyCheck(resource), undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const files = row.licence ?? []
  return (
    <>
      {data.problems.map((problem) => <Alert key={problem} className="form-alert" type="warning" showIcon title={problem} />)}
      {data.effect && <Descriptions size="small" column={1} bordered items={[{ key: 'effect', label: data.effect.label, children: can(data.effect.grant) ? <Link to={data.effect.to}>{data.effect.value}</Link> : data.effect.value }]} />}
      <h4>材料</h4>
      {files.length > 0 ? <Image.PreviewGroup>{files.map((url) => <Image key={url} src={url} width={140} height={100} alt="证明材料" />)}</Image.PreviewGroup> : <p className="note">没有上传材料</p>}
      <h4>可能重复的申请</h4>
      <Table<LikeApply> size="small" rowKey="id" pagination={false} dataSource={data.like} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有相近的申请" /> }} columns={[
        { title: '申请', render: (_value, one) => <Link to={`${path}?open=${one.id}`}>{one.name}</Link> },
        { title: '相同点', dataIndex: 'why' },
        { title: '状态', render: (_value, { status }) => <StateWord choices={APPLY_STATES} value={status} /> },
        { title: '申请时间', render: (_value, { at }) => briefTime(at) },
      ]} />
    </>
  )
}

/** 要求补件: what is missing is ticked beside the papers, and said in one sentence. */
function Ask({ kind: { resource, pieces }, row, reload }: { kind: ShownApply; row: Row; reload: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ pieces?: string[]; words?: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const reason = [values.pieces?.length ? `请补充：${values.pieces.join('、')}` : '', values.words?.trim() ?? ''].filter(Boolean).join('；')
    if (reason.length < 2) return form.setFields([{ name: 'pieces', errors: ['请勾选缺少的材料，或填写说明'] }])
    const { undo } = await request<{ undo?: number }>('POST', `${resource.api.item}/${row.id}/ask`, { reason, rev: row.rev }, { quiet: true })
    said({ words: '已通知补件', undo })
    reload()
  })
  return (
    <Form form={form} layout="vertical">
      {problem}
      <Form.Item name="pieces" label="缺少的材料"><Checkbox.Group options={[...pieces]} /></Form.Item>
      <Form.Item name="words" label="说明" rules={[{ max: 120, message: '说明最多 120 个字' }]}><Input.TextArea rows={2} /></Form.Item>
      <Button loading={busy} onClick={() => void submit()}>要求补件</Button>
    </Form>
  )
}

/** How a kind of applications looks: papers and duplicates beside the form, missing papers ticked. */
export function presentApplies(kind: ShownApply): Presentation {
  return {
    slots: { details: [{ key: 'check', label: '材料与查重', Content: ({ row, reload }) => (
      <>
        <Check kind={kind} row={row} />
        {row.can.includes('ask') && <><h4>材料不齐</h4><Ask kind={kind} row={row} reload={reload} /></>}
      </>
    ) }] },
  }
}
