import { CloseOutlined, DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { viewOf } from '../field/views.tsx'
import { askWords, asksOf } from '../query/asks.ts'
import type { Resource } from '../resource/define.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { filterValues, filterWord, withFilter, withoutFilter, type Filters } from './filter-keys.ts'

interface Props {
  resource: Resource
  /** The filter's field. */
  name: string
  id: string
  filters: Filters
  onChange: (filters: Filters) => void
}

/** One filter: values to choose or to type, or a word such as 为空 or 近 30 天 in their place. */
export function FilterInput({ resource, name, id, filters, onChange }: Props) {
  const field = fieldOf(resource, name)
  const { Filter } = viewOf(field)
  const asks = asksOf(field)
  const word = filterWord(filters, name)
  if (!Filter) return null
  return (
    <span className="filter-input">
      {word === undefined
        ? <Filter field={field} name={name} id={id} values={filterValues(resource, filters, name)} fixed={resource.where} onChange={(values) => onChange(withFilter(resource, filters, name, values))} />
        : <span className="filter-word">{askWords(word)}<Button id={id} type="text" size="small" icon={<CloseOutlined />} aria-label={`${field.label}不再限于${askWords(word)}`} onClick={() => onChange(withoutFilter(resource, filters, name))} /></span>}
      {asks.length > 0 && (
        <Dropdown trigger={['click']} menu={{ items: asks.map(({ value, label }) => ({ key: value, label })), selectedKeys: word === undefined ? [] : [word], onClick: ({ key }) => onChange(withFilter(resource, filters, name, { word: key })) }}>
          <Button type="text" size="small" className="filter-asks" icon={<DownOutlined />} aria-label={`${field.label}的其他条件`} title={asks.slice(0, 2).map(({ label }) => label).join('、')} />
        </Dropdown>
      )}
    </span>
  )
}
