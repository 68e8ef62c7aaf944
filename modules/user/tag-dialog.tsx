import { Alert, App, Modal, Select } from 'antd'
import { useId, useState } from 'react'
import { request } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { checkValue } from '../../core/field/check.ts'
import { appUser } from './user.ts'

const field = appUser.fields['tags']

/** 打标签: the tags alone, without opening the whole form. */
export function TagDialog({ row, reload, onClose }: RowDialogProps<typeof appUser>) {
  const { message } = App.useApp()
  const id = useId()
  const before = Array.isArray(row.tags) ? row.tags.map(String) : []
  const [tags, setTags] = useState(before)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const changed = tags.join('\n') !== before.join('\n')
  const close = useCloseGuard(changed, `${row.nickname}的标签`, onClose)
  const save = async () => {
    if (!changed) return onClose()
    const checked = field && checkValue(field, tags)
    if (checked && 'message' in checked) return setProblem(checked.message)
    setBusy(true)
    try {
      await request('PUT', `${appUser.api.item}/${row.id}`, { tags, rev: row.rev }, { keepEmpty: true, quiet: true })
      void message.success('保存成功')
      reload()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '保存失败')
      setBusy(false)
    }
  }
  return (
    <Modal open title={`打标签 · ${row.nickname}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={close} width={480}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p><label htmlFor={id}>标签</label></p>
      <Select<string[]> id={id} className="wide" mode="tags" value={tags} open={false} suffixIcon={null} tokenSeparators={[',', '，', '、']} placeholder="输入标签后回车，可输入多个"
        onChange={(next) => { setTags(next.map((tag) => tag.trim()).filter(Boolean)); setProblem(undefined) }} />
    </Modal>
  )
}
