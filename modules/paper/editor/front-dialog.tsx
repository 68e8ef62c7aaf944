import { Form, Input, Modal, Switch } from 'antd'
import type { PaperFront } from '../compose/body.ts'

/** The words of a paper beside its questions; its school's sign comes from its skeleton. */
export function FrontDialog({ front, onSave, onClose }: { front: PaperFront; onSave: (front: PaperFront) => void; onClose: () => void }) {
  const [form] = Form.useForm<Omit<PaperFront, 'logo'>>()
  return (
    <Modal open title="卷首" okText="确定" cancelText="取消" onCancel={onClose} onOk={() => form.submit()} destroyOnHidden>
      <Form form={form} name="paper-front" layout="vertical" initialValues={front} onFinish={({ secret, school, notices, marks }) => onSave({ ...front, secret: secret.trim(), school: school.trim(), notices: notices.trim(), marks })}>
        <Form.Item name="secret" label="密级" rules={[{ max: 40, message: '最多 40 个字' }]}><Input placeholder="绝密★启用前" /></Form.Item>
        <Form.Item name="school" label="学校名称" rules={[{ max: 60, message: '最多 60 个字' }]}><Input /></Form.Item>
        <Form.Item name="notices" label="注意事项" extra="每行一条" rules={[{ max: 2000, message: '最多 2000 个字' }]}><Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} /></Form.Item>
        <Form.Item name="marks" label="题号得分表" valuePropName="checked"><Switch /></Form.Item>
      </Form>
    </Modal>
  )
}
