import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { MOST_SORT_KEYS, type SortKey } from '../query/sort.ts'
import type { Resource } from '../resource/define.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { sortableKeys } from './list-columns.ts'

interface Props {
  resource: Resource
  keys: readonly SortKey[]
  onChange: (keys: readonly SortKey[]) => void
}

/** The order of a list: one column, then others where it leaves records equal. */
export function SortInput({ resource, keys, onChange }: Props) {
  const sortable = sortableKeys(resource)
  // A column of another record has an order of its own, which no second one can follow.
  const alone = keys.some(({ key }) => fieldOf(resource, key).behind)
  const free = sortable.filter((key) => !keys.some((one) => one.key === key) && (keys.length === 0 || !fieldOf(resource, key).behind))
  const put = (place: number, part: Partial<SortKey>) => onChange(keys.map((one, at) => (at === place ? { ...one, ...part } : one)))
  return (
    <div className="sort-input" role="group" aria-label="排序">
      <span>排序</span>
      {keys.map(({ key, descending }, place) => (
        <span key={key} className="sort-key">
          <Select value={key} aria-label={place === 0 ? '先按' : '再按'} showSearch={{ optionFilterProp: 'label' }} options={[key, ...free].map((value) => ({ value, label: fieldOf(resource, value).label }))} onChange={(next: string) => put(place, { key: next })} />
          <Select value={descending} aria-label={`${fieldOf(resource, key).label}的方向`} options={[{ value: false, label: '从小到大' }, { value: true, label: '从大到小' }]} onChange={(next: boolean) => put(place, { descending: next })} />
          <Button type="text" size="small" icon={<CloseOutlined />} aria-label={`不再按${fieldOf(resource, key).label}排序`} onClick={() => onChange(keys.filter((_one, at) => at !== place))} />
        </span>
      ))}
      {free.length > 0 && !alone && keys.length < MOST_SORT_KEYS && <Button type="text" size="small" icon={<PlusOutlined />} onClick={() => onChange([...keys, { key: free[0] ?? 'id', descending: true }])}>{keys.length === 0 ? '按列排序' : '再按一列'}</Button>}
    </div>
  )
}
