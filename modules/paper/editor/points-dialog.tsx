import { Form, InputNumber, Modal, Radio, Select } from 'antd'
import { totalScore, type Change, type PaperBody } from '../compose/body.ts'
import { scoreEach, scoreTotal } from '../compose/points.ts'

interface Wanted {
  way: 'each' | 'total'
  section: string
  score: number
}

const WHOLE = ''

/** Gives out points: the same for each question, or a total shared out in proportion. */
export function PointsDialog({ body, onSave, onClose }: { body: PaperBody; onSave: (changes: Change[]) => void; onClose: () => void }) {
  const [form] = Form.useForm<Wanted>()
  const way = Form.useWatch('way', form) ?? 'each'
  return (
    <Modal open title="批量设分" okText="确定" cancelText="取消" onCancel={onClose} onOk={() => form.submit()} destroyOnHidden>
      <Form<Wanted> form={form} name="paper-points" layout="vertical" initialValues={{ way: 'each', section: WHOLE, score: 5 }}
        onFinish={({ way: chosen, section, score }) => onSave(chosen === 'total' ? scoreTotal(body, score) : scoreEach(body, score, section === WHOLE ? undefined : section))}>
        <Form.Item name="way" label="方式"><Radio.Group options={[{ value: 'each', label: '每题同分' }, { value: 'total', label: '填总分，按比例分配' }]} /></Form.Item>
        {way === 'each' && (
          <Form.Item name="section" label="范围"><Select options={[{ value: WHOLE, label: '整卷' }, ...body.sections.map(({ key, name }) => ({ value: key, label: name }))]} /></Form.Item>
        )}
        <Form.Item name="score" label={way === 'each' ? '每题分值' : `总分（现为 ${totalScore(body)} 分）`}
          rules={[{ required: true, message: '请填写分值' }, { validator: (_rule, value: number) => (Math.round(value * 2) === value * 2 ? Promise.resolve() : Promise.reject(new Error('分值以 0.5 分为单位'))) }]}>
          <InputNumber min={0} max={way === 'each' ? 300 : 1500} step={0.5} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
