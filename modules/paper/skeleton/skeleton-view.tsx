import { Alert, App, Form, Input, Modal } from 'antd'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { standardId } from '../../../core/grant/grant.ts'
import { present, type RowDialogProps } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { resourceOf } from '../paper.ts'
import { paperFromSkeleton } from './calls.ts'
import { skeleton } from './skeleton.ts'

/** Begins a paper with a skeleton, and leads to it. */
function BeginPaper({ row, onClose }: RowDialogProps<typeof skeleton>) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const papers = resourceOf({ kind: 'base', level: row.level })
  const may = useCan()(standardId(papers.grant, 'edit'))
  const [form] = Form.useForm<{ name: string }>()
  const { busy, attempt } = useAttempt()
  const begin = ({ name }: { name: string }) => attempt(async () => {
    const { detail } = await call(paperFromSkeleton, { name }, { params: { id: row.id }, quiet: true })
    void message.success('已新建试卷')
    onClose()
    void navigate(detail)
  })
  return (
    <Modal open title={`用「${row.name}」新建试卷`} okText="新建" okButtonProps={{ disabled: !may }} confirmLoading={busy} onCancel={onClose} onOk={() => form.submit()}>
      {!may && <Alert type="info" showIcon title={`没有「${papers.label} · 新增和编辑」权限，不能新建试卷`} />}
      <Form form={form} name="skeleton-paper" layout="vertical" disabled={!may} onFinish={(values) => void begin(values)}>
        <Form.Item name="name" label="试卷名称" rules={[{ required: true, whitespace: true, message: '请填写试卷名称' }, { max: 100, message: '试卷名称最多 100 个字' }]}><Input placeholder="2026 届高三数学第一次模拟考试" /></Form.Item>
      </Form>
    </Modal>
  )
}

export default present(skeleton)({
  rowActions: [{ key: 'begin', label: '新建试卷', visible: (row) => row.status === 1 }],
  dialogs: { begin: BeginPaper },
})
