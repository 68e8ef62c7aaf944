import { Suspense } from 'react'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { lazyInput } from './lazy-input.tsx'
import { regionNameKey, type RegionField } from './region.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type FilterWordsProps, type InputProps } from './view.tsx'

function Cell({ name, row }: CellProps<RegionField>) {
  const text = row[regionNameKey(name)]
  return typeof text === 'string' ? <span title={text}>{text}</span> : NONE
}

const Input = lazyInput<InputProps<RegionField>>(async () => ({ default: (await import('./region-input.tsx')).RegionInput }))
const Filter = lazyInput<FilterProps<RegionField>>(async () => ({ default: (await import('./region-input.tsx')).RegionFilter }))

const Words = retryLazy(async () => ({ default: (await import('./region-input.tsx')).RegionWords }))
const FilterWords = (props: FilterWordsProps<RegionField>) => <Suspense fallback="…"><Words {...props} /></Suspense>

export const regionView: FieldView<RegionField> = { Cell, Input, Filter, FilterWords }
