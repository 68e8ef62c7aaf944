import { Alert, App, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { purgeRecords, type DeletedRecord } from './recycle.ts'

const WORDS = '彻底删除'
/** Names that the question lists; more are counted. */
const LISTED = 5

/** Asks for the words before records are deleted for good: a slip of the mouse must not do it. */
export function PurgeDialog({ records, onClose, onPurged }: { records: readonly DeletedRecord[]; onClose: () => void; onPurged: () => Promise<void> }) {
  const { message } = App.useApp()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const ready = typed.trim() === WORDS
  const purge = async () => {
    if (!ready) return
    setBusy(true)
    setProblem(undefined)
    const kinds = Map.groupBy(records, (record) => record.resource)
    let purged = 0
    try {
      for (const [resource, those] of kinds) purged += (await call(purgeRecords, { resource, ids: those.map((record) => record.id) }, { quiet: true })).purged
      void message.success(`已彻底删除 ${purged} 条`)
      onClose()
    } catch (failure) {
      setProblem(`${purged > 0 ? `已彻底删除 ${purged} 条，其余未删除：` : ''}${failure instanceof Error ? failure.message : '删除失败'}`)
    } finally {
      setBusy(false)
      if (purged > 0) await onPurged()
    }
  }
  return (
    <Modal open title={`彻底删除 ${records.length} 条记录`} okText={WORDS} okButtonProps={{ danger: true, disabled: !ready }} confirmLoading={busy} onOk={() => void purge()} onCancel={onClose} width={480}
      afterOpenChange={(open) => { if (open) document.getElementById(id)?.focus() }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Alert className="form-alert" type="warning" showIcon title="彻底删除后不能恢复，只在操作日志中留有记录。" />
      <ul className="failures">
        {records.slice(0, LISTED).map((record) => <li key={`${record.resource} ${record.id}`}>{record.label}「{record.title || `#${record.id}`}」</li>)}
        {records.length > LISTED && <li>等 {records.length} 条</li>}
      </ul>
      <p><label htmlFor={id}>请输入「{WORDS}」确认</label></p>
      <Input id={id} value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} onPressEnter={() => void purge()} />
    </Modal>
  )
}
