import { useQuery } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { useState } from 'react'
import { request } from '../endpoint/call.tsx'
import type { Province, RegionField } from './region.ts'
import type { FilterProps, FilterWordsProps, InputProps } from './view.tsx'

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

/** All regions; a large answer, so nobody asks for it before somebody looks or something is chosen. */
function useRegions(chosen: boolean): { nodes: Node[]; loading: boolean; onOpenChange: (open: boolean) => void } {
  const [opened, setOpened] = useState(false)
  const wanted = chosen || opened
  const { data } = useQuery({
    queryKey: ['provinces'],
    queryFn: ({ signal }) => request<{ provinces: Province[] }>('GET', '/daoyuan/api/provinces', {}, { signal }),
    staleTime: Infinity,
    select: ({ provinces }) => toNodes(provinces),
    enabled: wanted,
  })
  return { nodes: data ?? [], loading: wanted && !data, onOpenChange: (open) => { if (open) setOpened(true) } }
}

/** A code names its whole path: 32, 3201, 320102. */
const pathOf = (code: string) => [2, 4, 6].filter((length) => length <= code.length).map((length) => code.slice(0, length))

/** Chooses a province, city or county. */
export function RegionInput({ value, onChange, id, disabled }: InputProps<RegionField>) {
  const code = typeof value === 'string' ? value : ''
  const { nodes, loading, onOpenChange } = useRegions(code !== '')
  return (
    <Cascader id={id} options={nodes} value={code ? pathOf(code) : []} loading={loading} onOpenChange={onOpenChange} changeOnSelect showSearch disabled={disabled}
      placeholder="请选择省 / 市 / 县" notFoundContent={loading ? '加载中…' : '没有匹配的地区'} onChange={(path: string[] | undefined) => onChange?.(path?.at(-1) ?? null)} />
  )
}

/** Name of the province, city or county by which a list is narrowed. */
export function RegionWords({ values: [code = ''] }: FilterWordsProps<RegionField>) {
  const { nodes } = useRegions(true)
  return pathOf(code).reduce<{ names: string[]; among: readonly Node[] }>(({ names, among }, part) => {
    const node = among.find(({ value }) => value === part)
    return { names: [...names, node?.label ?? part], among: node?.children ?? [] }
  }, { names: [], among: nodes }).names.join(' ')
}

/** Narrows a list to a province, city or county. */
export function RegionFilter({ values: [code], onChange, id }: FilterProps<RegionField>) {
  const { nodes, loading, onOpenChange } = useRegions(Boolean(code))
  return (
    <Cascader id={id} className="wide" options={nodes} value={code ? pathOf(code) : []} loading={loading} onOpenChange={onOpenChange} changeOnSelect showSearch placeholder="全部"
      notFoundContent={loading ? '加载中…' : '没有匹配的地区'} onChange={(path: string[] | undefined) => onChange(path?.length ? [path.at(-1) ?? ''] : [])} />
  )
}
