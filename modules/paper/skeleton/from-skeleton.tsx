import { LayoutOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { standardId } from '../../../core/grant/grant.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { resourceOf } from '../paper.ts'
import { STAGES } from '../stage.ts'
import { paperFromSkeleton, skeletonChoices } from './calls.ts'

interface Draft {
  skeleton: number
  name: string
}

/** Begins a paper with a skeleton, on a list of base papers. */
export function FromSkeleton() {
  const can = useCan()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const stage = STAGES.find(({ base }) => base === pathname)
  if (!stage || !can(standardId(resourceOf({ kind: 'base', level: stage.level }).grant, 'edit'))) return null
  return (
    <>
      <Button icon={<LayoutOutlined />} onClick={() => setOpen(true)}>用模板新建</Button>
      {open && <ChooseSkeleton level={stage.level} onClose={() => setOpen(false)} />}
    </>
  )
}

function ChooseSkeleton({ level, onClose }: { level: 0 | 1 | 2; onClose: () => void }) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [form] = Form.useForm<Draft>()
  const { busy, attempt } = useAttempt()
  const { data, error, isPending } = useQuery({ queryKey: ['paper-skeletons', level], queryFn: ({ signal }) => call(skeletonChoices, { level: String(level) as '0' | '1' | '2' }, { signal, quiet: true }) })
  const begin = ({ skeleton, name }: Draft) => attempt(async () => {
    const { detail } = await call(paperFromSkeleton, { name }, { params: { id: skeleton }, quiet: true })
    void message.success('已新建试卷')
    onClose()
    void navigate(detail)
  })
  return (
    <Modal open title="用模板新建试卷" okText="新建" confirmLoading={busy} onCancel={onClose} onOk={() => form.submit()}>
      {error && <Alert type="error" showIcon title={error.message} />}
      <Form<Draft> form={form} name="from-skeleton" layout="vertical" onFinish={(draft) => void begin(draft)}>
        <Form.Item name="skeleton" label="模板" rules={[{ required: true, message: '请选择模板' }]}>
          <Select loading={isPending} placeholder="请选择" showSearch={{ optionFilterProp: 'label' }} notFoundContent="本学段没有启用的模板"
            options={(data?.items ?? []).map(({ id, name, questions, points }) => ({ value: id, label: `${name} · ${questions} 题 · ${points} 分` }))} />
        </Form.Item>
        <Form.Item name="name" label="试卷名称" rules={[{ required: true, whitespace: true, message: '请填写试卷名称' }, { max: 100, message: '试卷名称最多 100 个字' }]}><Input /></Form.Item>
      </Form>
    </Modal>
  )
}
