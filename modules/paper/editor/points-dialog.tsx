import { Form, InputNumber, Modal, Radio, Select } from 'antd'
import { choiceLabel } from '../../../core/field/choice.ts'
import { TYPES, type PracticeCard } from '../../practice/module.ts'
import { itemsOf, totalScore, type Change, type PaperBody } from '../compose/body.ts'
import { scoreEach, scoreKinds, scoreTotal } from '../compose/points.ts'

interface Wanted {
  way: 'each' | 'kind' | 'total'
  section: string
  score: number
  /** By kind of question, in the order of `kindsOf`; what is left empty stays. */
  kinds?: (number | null)[]
}

const WHOLE = ''
const isHalf = (value: number) => Math.round(value * 2) === value * 2
const halves = { validator: (_rule: unknown, value: number | null | undefined) => (value === null || value === undefined || isHalf(value) ? Promise.resolve() : Promise.reject(new Error('分值以 0.5 分为单位'))) }
const kindOf = ({ category_name, type }: PracticeCard) => category_name ?? choiceLabel(TYPES, type)

interface Kind {
  name: string
  count: number
  /** Its questions are passages with questions of their own. */
  passages: boolean
}

/** Kinds of the questions of a paper, in the order in which they come up, whatever section they stand in. */
function kindsOf(body: PaperBody, cards: ReadonlyMap<number, PracticeCard>): Kind[] {
  const known = itemsOf(body).flatMap(({ practice_id }) => cards.get(practice_id) ?? [])
  return [...Map.groupBy(known, kindOf)].map(([name, list]) => ({ name, count: list.length, passages: list.some(({ content }) => content.children.length > 0) }))
}

interface Props {
  body: PaperBody
  cards: ReadonlyMap<number, PracticeCard>
  onSave: (changes: Change[]) => void
  onClose: () => void
}

/** Gives out points: the same for each question, by kind of question, or a total shared out in proportion. */
export function PointsDialog({ body, cards, onSave, onClose }: Props) {
  const [form] = Form.useForm<Wanted>()
  const way = Form.useWatch('way', form) ?? 'each'
  const kinds = kindsOf(body, cards)
  const changes = ({ way: chosen, section, score, kinds: given = [] }: Wanted): Change[] => {
    if (chosen === 'total') return scoreTotal(body, score)
    if (chosen === 'each') return scoreEach(body, score, section === WHOLE ? undefined : section)
    const points = new Map(kinds.flatMap(({ name, passages }, index) => (typeof given[index] === 'number' ? [[name, { score: given[index], passages }] as const] : [])))
    return scoreKinds(body, points, (id) => {
      const card = cards.get(id)
      return card && { kind: kindOf(card), children: card.content.children.length }
    })
  }
  return (
    <Modal open title="批量设分" okText="确定" cancelText="取消" onCancel={onClose} onOk={() => form.submit()} destroyOnHidden>
      <Form<Wanted> form={form} name="paper-points" layout="vertical" initialValues={{ way: 'each', section: WHOLE, score: 5 }} onFinish={(wanted) => onSave(changes(wanted))}>
        <Form.Item name="way" label="方式"><Radio.Group options={[{ value: 'each', label: '每题同分' }, { value: 'kind', label: '按题型' }, { value: 'total', label: '填总分，按比例分配' }]} /></Form.Item>
        {way === 'each' && (
          <Form.Item name="section" label="范围"><Select options={[{ value: WHOLE, label: '整卷' }, ...body.sections.map(({ key, name }) => ({ value: key, label: name }))]} /></Form.Item>
        )}
        {way === 'kind'
          ? kinds.map(({ name, count, passages }, index) => (
            <Form.Item key={name} name={['kinds', index]} label={`${name}（${count} 题）${passages ? '，每小题' : '，每题'}`} rules={[halves]}>
              <InputNumber min={0} max={300} step={0.5} suffix="分" placeholder="不变" />
            </Form.Item>
          ))
          : (
            <Form.Item name="score" label={way === 'each' ? '每题分值' : `总分（现为 ${totalScore(body)} 分）`} rules={[{ required: true, message: '请填写分值' }, halves]}>
              <InputNumber min={0} max={way === 'each' ? 300 : 1500} step={0.5} />
            </Form.Item>
          )}
      </Form>
    </Modal>
  )
}
