import { App, Form, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { Picker } from '../../../core/field/reference.tsx'
import type { RowDialogProps } from '../../../core/resource/present.tsx'
import { ASSETS } from '../asset.ts'
import { moveAssetUses } from '../calls.ts'
import type { AssetRow } from './asset-view.tsx'

/** Lets another asset take the place of this one wherever it is used. */
export function MoveDialog({ row, reload, onClose }: Omit<RowDialogProps, 'row'> & { row: AssetRow }) {
  const { message } = App.useApp()
  const [into, setInto] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const resource = ASSETS[row.kind]
  const move = async () => {
    if (into === null) return setProblem('请选择接替的素材')
    setBusy(true)
    try {
      const { moved, left_alone } = await call(moveAssetUses, { into_id: into }, { params: { id: row.id }, quiet: true })
      void message.success(`已转移 ${moved} 处引用${left_alone > 0 ? `，${left_alone} 处没有权限，未转移` : ''}`)
      reload()
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '转移失败，请重试')
      setBusy(false)
    }
  }
  return (
    <Modal open title={`转移「${row.name}」的引用`} okText="转移" confirmLoading={busy} onOk={() => void move()} onCancel={onClose}>
      <Form layout="vertical">
        <Form.Item label="改用素材" required htmlFor="asset-into" {...(problem !== undefined && { validateStatus: 'error' as const, help: problem })} extra={`使用「${row.name}」的 ${String(row.use_count)} 处内容会改用所选素材。`}>
          <Picker target={resource} id="asset-into" label={resource.label} value={into ?? undefined} onChange={(id) => { setInto(id); setProblem(undefined) }} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
