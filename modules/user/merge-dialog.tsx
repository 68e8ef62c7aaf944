import { useQuery } from '@tanstack/react-query'
import { Alert, App, Input, Modal, Radio, Skeleton, Table } from 'antd'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { call, request } from '../../core/endpoint/call.tsx'
import { viewOf } from '../../core/field/views.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { fieldOf } from '../../core/resource/meta-fields.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { AccountPicker } from './account-picker.tsx'
import { mergeUser } from './calls.ts'
import { betterOf, compareUsers } from './merge-compare.ts'
import { appUser } from './user.ts'
import './user.css'

const nameOf = (row: WireRow<typeof appUser>) => `${row.nickname}（${row.user_no}）`

function FieldValue({ name, row }: { name: string; row: WireRow }) {
  const field = fieldOf(appUser, name)
  const { Cell } = viewOf(field)
  return <Cell field={field} name={name} value={row[name]} row={row} />
}

/** 合并账号: one person has two accounts; both stand side by side, and the one that stays gets everything. */
export function MergeDialog({ row, reload, onClose }: RowDialogProps<typeof appUser>) {
  const { message, modal } = App.useApp()
  const id = useId()
  const [otherId, setOtherId] = useState<number | null>(null)
  const [chosen, setChosen] = useState<number>()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { data: other, error } = useQuery({
    queryKey: ['record', appUser.name, otherId], enabled: otherId !== null,
    queryFn: ({ signal }) => request<WireRow<typeof appUser>>('GET', `${appUser.api.item}/${otherId}`, {}, { signal, quiet: true }),
  })
  const close = useCloseGuard(otherId !== null || reason !== '', '合并账号', onClose)
  const pair = otherId !== null && other ? { row, other } : undefined
  const stays = pair && (chosen ?? betterOf(row, pair.other))
  const goes = pair && (stays === row.id ? pair.other : row)
  const kept = pair && (stays === row.id ? row : pair.other)

  const run = async () => {
    if (!kept || !goes) return setProblem('请选择要合并的另一个账号')
    if (reason.trim() === '') return setProblem('请填写原因')
    const checked = z.safeParse(reasonSchema, reason)
    if (!checked.success) return setProblem(checked.error.issues[0]?.message ?? '请填写原因')
    setBusy(true)
    setProblem(undefined)
    try {
      const { moved } = await call(mergeUser, { into_id: kept.id, reason: checked.data }, { params: { id: goes.id }, quiet: true })
      reload()
      onClose()
      if (moved.length === 0) void message.success('合并成功')
      else modal.success({ title: '合并成功', content: <>已转入「{nameOf(kept)}」：{moved.map(({ label, count }) => `${label} ${count} 条`).join('、')}</> })
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '合并失败')
      setBusy(false)
    }
  }
  const head = (one: WireRow<typeof appUser>, side: string) => <Radio checked={stays === one.id} onChange={() => setChosen(one.id)} name={`${id}-stays`}>保留{side}</Radio>

  return (
    <Modal open title={`合并账号 · ${nameOf(row)}`} width={860} okText="确认合并" okButtonProps={{ danger: true, disabled: !pair }} confirmLoading={busy} onOk={() => void run()} onCancel={close}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p><label htmlFor={`${id}-other`}>另一个账号</label></p>
      <AccountPicker id={`${id}-other`} except={row.id} onChange={(next) => { setOtherId(next); setChosen(undefined); setProblem(undefined) }} />
      {error && otherId !== null && <Alert className="merge-part" type="error" showIcon title={error.message} />}
      {otherId !== null && !other && !error && <Skeleton className="merge-part" active />}
      {pair && goes && kept && (
        <>
          <Table className="merge-part" size="small" rowKey="key" pagination={false} scroll={{ x: 560, y: 320 }} dataSource={compareUsers(row, pair.other)} rowClassName={({ differs }) => (differs ? 'merge-differs' : '')}
            columns={[
              { title: '字段', dataIndex: 'label', width: 110 },
              { title: head(row, '当前账号'), width: 225, render: (_, { key }) => <FieldValue name={key} row={row} /> },
              { title: head(pair.other, '另一个账号'), width: 225, render: (_, { key }) => <FieldValue name={key} row={pair.other} /> },
            ]} />
          <Alert className="merge-part" type="warning" showIcon title={`「${nameOf(goes)}」的全部业务记录将转到「${nameOf(kept)}」，之后删除「${nameOf(goes)}」。资料以保留的账号为准，合并不能撤销。`} />
          <p><label htmlFor={`${id}-reason`}>原因</label></p>
          <Input.TextArea className="merge-reason" id={`${id}-reason`} rows={2} maxLength={200} showCount value={reason} onChange={(event) => { setReason(event.target.value); setProblem(undefined) }} />
        </>
      )}
    </Modal>
  )
}
