import { Form, Input, Modal, Radio } from 'antd'
import type { PaperSection } from '../compose/body.ts'

export interface SectionWords {
  name: string
  title: string
  instruction: string
  numbering: 'through' | 'inner'
}

/** Names of a section and what stands above its questions. */
export function SectionDialog({ section, onSave, onClose }: { section: PaperSection | undefined; onSave: (words: SectionWords) => void; onClose: () => void }) {
  const [form] = Form.useForm<SectionWords>()
  return (
    <Modal open title={section ? '大题标题和说明' : '添加大题'} okText="确定" cancelText="取消" onCancel={onClose} onOk={() => form.submit()} destroyOnHidden>
      <Form<SectionWords> form={form} name="paper-section" layout="vertical" initialValues={{ name: '', title: '', instruction: '', ...section, numbering: section?.numbering ?? 'through' }}
        onFinish={({ name, title, instruction, numbering }) => onSave({ name: name.trim(), title: title?.trim() ?? '', instruction: instruction?.trim() ?? '', numbering })}>
        <Form.Item name="name" label="大题名称" rules={[{ required: true, whitespace: true, message: '请填写大题名称' }, { max: 40, message: '最多 40 个字' }]}>
          <Input placeholder="单选题" />
        </Form.Item>
        <Form.Item name="title" label="自定标题" extra="留空时按题数和分值自动生成" rules={[{ max: 200, message: '最多 200 个字' }]}><Input placeholder="一、单选题（本题共 8 小题，每小题 5 分，共 40 分）" /></Form.Item>
        <Form.Item name="instruction" label="说明" rules={[{ max: 500, message: '最多 500 个字' }]}><Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} placeholder="在每小题给出的四个选项中，只有一项符合题目要求。" /></Form.Item>
        <Form.Item name="numbering" label="短文中的小题"><Radio.Group options={[{ value: 'through', label: '连续编号（21、22）' }, { value: 'inner', label: '题内编号（1）（2）' }]} /></Form.Item>
      </Form>
    </Modal>
  )
}
