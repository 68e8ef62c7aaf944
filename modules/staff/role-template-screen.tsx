import { Alert, Button, Modal, Skeleton } from 'antd'
import { useId, useMemo, useState } from 'react'
import { request } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useStaff } from '../../core/session/staff-context.tsx'
import { CopyBar } from './copy-bar.tsx'
import { GrantList } from './grant-difference.tsx'
import { GrantDrawer, useGrantTree } from './grant-drawer.tsx'
import { copyTicks, difference, groupIds } from './grant-set.ts'
import { GrantTree } from './grant-tree.tsx'
import { roleTemplate } from './role-template.ts'
import { STAFF_RIGHTS, staff } from './staff.ts'
import './staff.css'

/** The template's rights, in the form: the same tree as for a person, with what it was before as the base. */
function RightsInput({ value, onChange }: { value?: number[] | null; onChange?: (value: number[]) => void }) {
  const me = useStaff()
  const { data: tree, error, refetch } = useGrantTree()
  const held = useMemo(() => new Set(me.modules), [me.modules])
  const chosen = useMemo(() => new Set(value), [value])
  const set = (next: ReadonlySet<number>) => onChange?.([...next].sort((a, b) => a - b))
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!tree) return <Skeleton active />
  return (
    <>
      <CopyBar onCopy={({ ids }, mode) => set(copyTicks(chosen, ids, mode, held, tree.flatMap(groupIds)).next)} />
      <GrantTree tree={tree} value={chosen} onChange={set} held={held} />
    </>
  )
}

/** 应用到员工: picks somebody, then shows what the template would give them, to be changed and saved. */
function ApplyDialog({ row, reload, onClose }: RowDialogProps<typeof roleTemplate>) {
  const id = useId()
  const [to, setTo] = useState<number | null>(null)
  const [person, setPerson] = useState<WireRow<typeof staff>>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const goOn = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setPerson(await request<WireRow<typeof staff>>('GET', `${staff.api.item}/${to}`, {}, { quiet: true }))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '读取失败')
    } finally {
      setBusy(false)
    }
  }
  const proposal = useMemo(() => ({ ids: new Set(row.modules), from: `角色模板「${row.name}」` }), [row])
  if (person) return <GrantDrawer row={person} reload={reload} onClose={onClose} proposal={proposal} />
  return (
    <Modal open title={`应用角色模板「${row.name}」`} okText="下一步：核对权限" okButtonProps={{ disabled: to === null }} confirmLoading={busy} onOk={() => void goOn()} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p>模板中的权限会追加给所选员工，保存前可以核对和调整。之后修改模板不影响已授权的员工。</p>
      <p><label htmlFor={id}>员工</label></p>
      <Picker target={staff} id={id} label="员工" narrow={{ offered: 1 }} value={to ?? undefined} onChange={setTo} />
    </Modal>
  )
}

/** The template's rights, to be looked at. */
function RightsTab({ row }: { row: WireRow<typeof roleTemplate> }) {
  const { data: tree, error } = useGrantTree()
  if (error) return <Alert type="error" showIcon title={error.message} />
  return tree ? <GrantList groups={difference(tree, new Set(), new Set(row.modules)).added} /> : <Skeleton active />
}

function CountCell({ value }: { value: number[] }) {
  return <span className="figure">{value.length} 项</span>
}

/** Role templates: named sets of rights to start from. */
export default present(roleTemplate)({
  cells: { modules: CountCell },
  inputs: { modules: RightsInput },
  slots: { details: [{ key: 'rights', label: '权限', Content: RightsTab }] },
  rowActions: [{ key: 'apply', label: '应用到员工', grant: STAFF_RIGHTS.id('grant') }],
  dialogs: { apply: ApplyDialog },
})
