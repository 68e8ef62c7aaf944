import { provinces } from '../../core/field/region.server.ts'
import type { OwnSamples } from '../../core/testing/sample.server.ts'

/** Where the samples of other fields of regions lie: whole provinces and cities, which would lie over counties. */
const TAKEN = /^(?:44|3201|1101)/
const counties = provinces.flatMap(({ citys }) => citys.flatMap((city) => city.counties.map(({ code }) => code))).filter((code) => !TAKEN.test(code))

/** An exclusive region is no other agent's. */
export const samples: OwnSamples = { agent: (_app, n) => Promise.resolve({ region_code: counties[n % counties.length] }) }
