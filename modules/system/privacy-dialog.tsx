import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, InputNumber, Modal, Skeleton, Switch } from 'antd'
import { useState } from 'react'
import type { PrivacySetting } from '../../core/audit/privacy.ts'
import { call } from '../../core/endpoint/call.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { getPrivacy, PRIVACY_GRANT, putPrivacy } from './privacy.ts'

function PrivacyForm({ setting, onClose }: { setting: PrivacySetting; onClose: () => void }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [form] = Form.useForm<PrivacySetting>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    const values = await form.validateFields().catch(() => undefined)
    if (!values) return
    setBusy(true)
    setProblem(undefined)
    try {
      client.setQueryData(['privacy'], await call(putPrivacy, values, { quiet: true }))
      void message.success('隐私设置已保存')
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '保存失败')
      setBusy(false)
    }
  }
  return (
    <Modal open title="隐私设置" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form form={form} layout="vertical" initialValues={setting}>
        <Form.Item name="mask_names" label="隐藏学员姓名" valuePropName="checked" extra="开启后，学员姓名显示为「王*明」；只限于本校、本合伙人数据范围的员工和学员自己的督学看到全名。">
          <Switch checkedChildren="开启" unCheckedChildren="关闭" />
        </Form.Item>
        <Form.Item name="reveal_daily" label="每人每天可查看完整信息的次数" extra="超过后当天不能再查看，并在安全日志中告警。" rules={[{ required: true, message: '请填写次数' }]}>
          <InputNumber className="wide" min={0} max={100_000} precision={0} suffix="次" />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** 隐私设置: what is hidden, and how often one may look behind it. */
export function PrivacyButton() {
  const can = useCan()
  const [open, setOpen] = useState(false)
  const { data, error } = useQuery({ queryKey: ['privacy'], queryFn: ({ signal }) => call(getPrivacy, undefined, { signal }), enabled: open, staleTime: 0 })
  if (!can(PRIVACY_GRANT)) return null
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>隐私设置</Button>
      {open && (data ? <PrivacyForm setting={data} onClose={close} /> : <Modal open title="隐私设置" footer={null} onCancel={close}>{error ? <Alert type="error" showIcon title={error.message} /> : <Skeleton active />}</Modal>)}
    </>
  )
}
