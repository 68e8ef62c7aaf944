import { DatePicker, Form } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { Picker } from '../../core/field/reference.tsx'
import { readTime } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import type { CodeAction } from './code-state.ts'
import type { CodeFamily } from './family.ts'

/** What an action is asked for. */
export interface ActValues {
  reason: string
  until?: Dayjs
  owner?: number
}

/** What goes over the wire: days are Shanghai's, wherever the browser stands. */
export function toTerms({ reason, until, owner }: ActValues): { reason: string; until?: number; owner?: number } {
  return { reason: reason.trim(), ...(until && { until: Number(readTime(until.format('YYYY-MM-DD'))) }), ...(owner && { owner }) }
}

/** What is said before codes are changed, by action. */
const WARNINGS: Readonly<Record<CodeAction['name'], string>> = {
  cancel: '作废后不能恢复，已开通的权益同时收回。',
  unbind: '学习权益立即收回，码恢复为未使用，可以由别人激活。每个码最多解绑 2 次；已过兑换截止的，解绑后需要延期才能再用。',
  freeze: '冻结期间不能激活，已开通的权益暂停使用，解冻后恢复。',
  unfreeze: '解冻后恢复到冻结前的状态。',
  extend: '未使用的码延长兑换截止，已激活的码延长有效期。',
  transfer: '只能转移未使用的码，占用的名额随码一起转移。',
}

/** The fields that an action asks for, inside a form of the caller's. */
export function ActForm({ family, action }: { family: CodeFamily; action: CodeAction }) {
  const { owner } = family
  return (
    <>
      <p className="note">{WARNINGS[action.name]}</p>
      {action.name === 'extend' && (
        <Form.Item name="until" label="延期到" rules={[{ required: true, message: '请选择延期到哪一天' }]}>
          <DatePicker className="wide" disabledDate={(day) => day.isBefore(dayjs().endOf('day'))} />
        </Form.Item>
      )}
      {action.name === 'transfer' && (
        <Form.Item name="owner" label={`新的${owner.label}`} rules={[{ required: true, message: `请选择新的${owner.label}` }]}>
          <OwnerPicker family={family} />
        </Form.Item>
      )}
      <ReasonItem />
    </>
  )
}

function OwnerPicker({ family, id, value, onChange }: { family: CodeFamily; id?: string; value?: number; onChange?: (value: number | undefined) => void }) {
  return <Picker target={family.owner.target()} id={id} label={family.owner.label} value={value} onChange={(next) => onChange?.(next ?? undefined)} />
}
