import * as z from 'zod/mini'
import type { Field } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface RegionField<R extends boolean = boolean> extends Field<string, R> {
  readonly kind: 'region'
}

/** The region tree as the spec names its keys (spec 3): provinces hold `citys`, cities hold `counties`. */
export interface Province {
  code: string
  name: string
  citys: { code: string; name: string; counties: { code: string; name: string }[] }[]
}

/** A code as we keep it: 320500 and 320000, as statistics write a city and a province, are 3205 and 32. */
export function shortRegion(code: string): string {
  return /^\d{6}$/.test(code) ? code.replace(/(00)+$/, '') : code
}

/** Province, city and county by the six-digit code of the deepest one chosen: 32, 3201 or 320102. */
export function region<const R extends boolean = false>(label: string, options: Options<R> = {}): RegionField<R> {
  return makeField(label, options, {
    kind: 'region',
    ask: '请选择',
    column: 'text',
    filter: 'prefix',
    fromFilter: shortRegion,
    sortable: true,
    schema: z.string('请选择省市县').check(z.overwrite(shortRegion), z.regex(/^\d{2}(\d{2}(\d{2})?)?$/, '请选择省市县')),
    sheet: { type: 'text', example: '江苏省/南京市/玄武区', note: '省/市/县，如 江苏省/南京市/玄武区' },
  })
}

/** Whether values of a field are codes of the tree of regions, which only the server has. */
export const isRegionField = (field: Pick<Field, 'kind'> | undefined): boolean => field?.kind === 'region'

/** Key under which a row carries the name of a region: `region_code` → `region_name`. */
export function regionNameKey(key: string): string {
  return key.replace(/_code$/, '_name')
}

/** Finds a code by its path of names, `江苏省/南京市/玄武区`; short forms without 省, 市, 区 are understood. */
export function regionCode(tree: readonly Province[], path: string): string | undefined {
  const [provinceName, cityName, countyName] = path.split(/[/／\s-]+/).filter(Boolean)
  const same = (name: string, typed: string | undefined) => typed !== undefined && (name === typed || name.startsWith(typed))
  const province = tree.find((item) => same(item.name, provinceName))
  if (!province || !cityName) return province?.code
  const city = province.citys.find((item) => same(item.name, cityName))
  if (!city || !countyName) return city?.code
  return city.counties.find((item) => same(item.name, countyName))?.code
}
