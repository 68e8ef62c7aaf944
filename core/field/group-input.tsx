import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Space } from 'antd'
import type { AnyField } from './any-field.ts'
import type { GroupField, GroupRow } from './group.ts'
import './group-input.css'
import type { FieldView, InputProps } from './view.tsx'

export interface GroupInputProps extends InputProps<GroupField> {
  viewOf: (field: AnyField) => FieldView<AnyField>
}

const rowsOf = (value: unknown): GroupRow[] => (Array.isArray(value) ? value as GroupRow[] : [])

/** Lines to add, change, move and remove. What is wrong is said under the field as with every other, by the number of the line. */
export function GroupInput({ field, value, onChange, id, disabled, viewOf }: GroupInputProps) {
  const rows = rowsOf(value)
  const set = (next: GroupRow[]) => onChange?.(next)
  const move = (from: number, to: number) => {
    const [moved] = rows.slice(from, from + 1)
    if (moved) set(rows.toSpliced(from, 1).toSpliced(to, 0, moved))
  }
  return (
    <div id={id} className="group-rows" role="group" aria-label={field.label}>
      {rows.map((row, place) => (
        // A line has no id of its own, and moves as a whole.
        <fieldset key={place} className="group-row" disabled={disabled} aria-label={`${field.label}第 ${place + 1} 行`}>
          {Object.entries(field.fields).map(([key, one]) => {
            const { Input } = viewOf(one)
            const inputId = `${id ?? field.label}-${place}-${key}`
            return (
              // A state of its own: what is wrong with one line does not mark them all.
              <Form.Item key={key} className="group-cell" label={one.label} required={one.required} htmlFor={inputId} validateStatus="">
                <Input field={one} name={key} id={inputId} values={row} value={row[key]} {...(disabled !== undefined && { disabled })}
                  onChange={(next) => set(rows.map((other, at) => (at === place ? { ...other, [key]: next } : other)))} />
              </Form.Item>
            )
          })}
          <Space.Compact>
            <Button icon={<ArrowUpOutlined />} disabled={disabled || place === 0} aria-label={`上移第 ${place + 1} 行`} onClick={() => move(place, place - 1)} />
            <Button icon={<ArrowDownOutlined />} disabled={disabled || place === rows.length - 1} aria-label={`下移第 ${place + 1} 行`} onClick={() => move(place, place + 1)} />
            <Button danger icon={<DeleteOutlined />} disabled={disabled} aria-label={`删除第 ${place + 1} 行`} onClick={() => set(rows.toSpliced(place, 1))} />
          </Space.Compact>
        </fieldset>
      ))}
      <Button type="dashed" icon={<PlusOutlined />} disabled={disabled || rows.length >= field.max} onClick={() => set([...rows, Object.fromEntries(Object.entries(field.fields).flatMap(([key, { initial }]) => (initial === undefined ? [] : [[key, initial]])))])}>
        添加一行
      </Button>
    </div>
  )
}
