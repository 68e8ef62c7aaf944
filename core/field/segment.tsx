import { Select } from 'antd'
import { choiceLabel } from './choice.ts'
import type { SegmentField } from './segment.ts'
import type { FieldView, FilterProps } from './view.tsx'

function Filter({ field, values, onChange, id }: FilterProps<SegmentField>) {
  return (
    <Select<string[]> id={id} className="wide" mode="multiple" maxTagCount="responsive" allowClear value={[...values]} placeholder="全部" showSearch={{ optionFilterProp: 'label' }}
      onChange={onChange} options={field.choices.map(({ value, label }) => ({ value, label }))} />
  )
}

export const segmentView: FieldView<SegmentField> = { Cell: () => null, Input: () => null, Filter, FilterWords: ({ field, values }) => values.map((text) => choiceLabel(field.choices, text)).join('、') }
