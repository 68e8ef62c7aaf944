import { useQuery } from '@tanstack/react-query'
import { Cascader, Typography } from 'antd'
import { request } from '../endpoint/call.tsx'
import { regionNameKey, type Province, type RegionField } from './region.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type InputProps } from './view.tsx'

interface Node {
  value: string
  label: string
  children?: Node[]
}

function toNodes(provinces: readonly Province[]): Node[] {
  return provinces.map(({ code, name, citys }) => ({
    value: code, label: name, children: citys.map((city) => ({
      value: city.code, label: city.name, ...(city.counties.length > 0 && { children: city.counties.map((county) => ({ value: county.code, label: county.name })) }),
    })),
  }))
}

function useRegions() {
  const { data } = useQuery({
    queryKey: ['provinces'],
    queryFn: ({ signal }) => request<{ provinces: Province[] }>('GET', '/daoyuan/api/provinces', {}, { signal }),
    staleTime: Infinity,
    select: ({ provinces }) => toNodes(provinces),
  })
  return data ?? []
}

/** A code names its whole path: 32, 3201, 320102. */
const pathOf = (code: string) => [2, 4, 6].filter((length) => length <= code.length).map((length) => code.slice(0, length))

function Cell({ name, row }: CellProps<RegionField>) {
  const text = row[regionNameKey(name)]
  return typeof text === 'string' ? <Typography.Text ellipsis={{ tooltip: text }}>{text}</Typography.Text> : NONE
}

function RegionInput({ value, onChange, id, disabled }: InputProps<RegionField>) {
  const nodes = useRegions()
  return (
    <Cascader id={id} options={nodes} value={typeof value === 'string' ? pathOf(value) : []} changeOnSelect showSearch disabled={disabled}
      placeholder="请选择省 / 市 / 县" onChange={(path: string[] | undefined) => onChange?.(path?.at(-1) ?? null)} />
  )
}

function Filter({ values, onChange, id }: FilterProps<RegionField>) {
  const nodes = useRegions()
  return (
    <Cascader id={id} className="wide" options={nodes} value={values[0] ? pathOf(values[0]) : []} changeOnSelect showSearch placeholder="全部"
      onChange={(path: string[] | undefined) => onChange(path?.length ? [path.at(-1) ?? ''] : [])} />
  )
}

export const regionView: FieldView<RegionField> = { Cell, Input: RegionInput, Filter, width: 200 }
