import { ArrowDownOutlined, ArrowUpOutlined, PushpinOutlined } from '@ant-design/icons'
import { Button, Checkbox, Segmented, Space, Tooltip } from 'antd'
import type { Resource } from '../resource/define.ts'
import { arrangeColumns, noChoice, type ColumnChoice } from './list-columns.ts'

export interface ColumnChoiceProps {
  resource: Resource
  choice: ColumnChoice
  onChange: (choice: ColumnChoice) => void
}

/** Which columns a person sees, in which order, pinned where, and how dense the rows stand. */
export function ColumnChooser({ resource, choice, onChange }: ColumnChoiceProps) {
  const columns = arrangeColumns(resource, choice)
  /** The first change writes down the whole order, so that later columns of the product do not shuffle it. */
  const order = columns.map((column) => column.key)
  const hidden = columns.filter((column) => column.hidden).map((column) => column.key)
  const change = (part: Partial<ColumnChoice>) => onChange({ ...choice, order, hidden, ...part })
  const move = (index: number, by: number) => {
    const next = [...order]
    const [key] = next.splice(index, 1)
    if (key) next.splice(index + by, 0, key)
    change({ order: next })
  }
  const pin = (key: string) => {
    const { [key]: now, ...rest } = choice.pinned
    change({ pinned: now === 'left' ? { ...rest, [key]: 'right' } : now === 'right' ? rest : { ...rest, [key]: 'left' } })
  }
  const pinWords = { left: '固定在左侧', right: '固定在右侧' }
  return (
    <div className="column-settings">
      <Segmented block value={choice.density} onChange={(density) => onChange({ ...choice, density: density as ColumnChoice['density'] })}
        options={[{ value: 'large', label: '舒适' }, { value: 'middle', label: '标准' }, { value: 'small', label: '紧凑' }]} />
      <ul>
        {columns.map((column, index) => (
          <li key={column.key}>
            <Checkbox checked={!column.hidden} onChange={(event) => change({ hidden: event.target.checked ? hidden.filter((key) => key !== column.key) : [...hidden, column.key] })}>{column.label}</Checkbox>
            <Space size={0}>
              <Button type="text" size="small" icon={<ArrowUpOutlined />} disabled={index === 0} aria-label={`上移${column.label}`} onClick={() => move(index, -1)} />
              <Button type="text" size="small" icon={<ArrowDownOutlined />} disabled={index === columns.length - 1} aria-label={`下移${column.label}`} onClick={() => move(index, 1)} />
              <Tooltip title={choice.pinned[column.key] ? pinWords[choice.pinned[column.key] ?? 'left'] : '不固定'}>
                <Button type={choice.pinned[column.key] ? 'primary' : 'text'} size="small" icon={<PushpinOutlined />} aria-label={`固定${column.label}`} onClick={() => pin(column.key)} />
              </Tooltip>
            </Space>
          </li>
        ))}
      </ul>
      <Button block onClick={() => onChange(noChoice)}>恢复默认</Button>
    </div>
  )
}
