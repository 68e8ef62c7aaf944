import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { foldText } from '../field/field.ts'
import type { ReferenceField, ReferenceListField } from '../field/reference.ts'
import { isRegion, provinces } from '../field/region.server.ts'
import { isRegionField, regionCode, shortRegion } from '../field/region.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from '../resource/define.ts'
import { checkRecord } from '../resource/rules.ts'
import { isEmpty } from '../field/check.ts'
import { pickableCondition } from '../resource/where.server.ts'
import type { GivenRow } from './import-sheet.server.ts'

type Values = Record<string, unknown>
type Reference = ReferenceField | ReferenceListField

/** A row whose cells have become values, as far as they could. */
export interface CheckedRow {
  rowNumber: number
  /** Values in wire form; only of fields that the row gives. */
  values: Values
  /** What is wrong with it, each a sentence. */
  reasons: string[]
}

const HALF_WIDTH = ` ${String.fromCharCode(...Array.from({ length: 0x5e }, (_, index) => 0x21 + index))}`
const FULL_WIDTH = `\u3000${String.fromCharCode(...Array.from({ length: 0x5e }, (_, index) => 0xff01 + index))}`

interface NamedRecord {
  id: number
  name: string
  [within: string]: unknown
}

/** Records of one referenced resource by name, looked up in sets and remembered. */
class Names {
  private readonly known = new Map<string, NamedRecord[]>()
  private readonly narrowedBy: string
  private readonly field: Reference
  private readonly target: Resource
  private readonly staff: Staff

  /** @param narrowedBy labels of the fields that narrow what may be named */
  constructor(field: Reference, target: Resource, staff: Staff, narrowedBy: string) {
    this.field = field
    this.narrowedBy = narrowedBy
    this.target = target
    this.staff = staff
  }

  /** Looks up all names that are not known yet, in one query. */
  async load(db: Queryable, names: readonly string[]): Promise<void> {
    const wanted = [...new Set(names)].filter((name) => !this.known.has(name))
    if (wanted.length === 0) return
    for (const name of wanted) this.known.set(name, [])
    const title = sql.identifier(this.target.title)
    const within = Object.values(this.field.within).map((key) => sql`, ${sql.identifier(key)}`)
    const look = async (name: SQL, list: readonly string[]) => {
      const found = await db.query<NamedRecord>(sql`select id, ${title} as name ${sql.join(within, sql``)} from ${sql.identifier(this.target.table)}
        where ${name} = any(${sql.param(list)}::text[]) and ${pickableCondition(this.target, this.staff)}`)
      for (const candidate of found) this.known.get(foldText(candidate.name))?.push(candidate)
    }
    await look(sql`${title}`, wanted)
    const missing = wanted.filter((name) => this.known.get(name)?.length === 0)
    // Cells are read at half width; a name that was typed into a form may hold full-width brackets or digits.
    if (missing.length > 0) await look(sql`btrim(translate(${title}, ${FULL_WIDTH}, ${HALF_WIDTH}))`, missing)
  }

  /** The id that a name means in this row, or a sentence. */
  find(name: string, row: Readonly<Values>): number | string {
    const fits = (candidate: NamedRecord) => Object.entries(this.field.within).every(([own, other]) => {
      const wanted = row[own]
      return isEmpty(wanted) || candidate[other] === wanted || (Array.isArray(candidate[other]) && candidate[other].includes(wanted))
    })
    const all = this.known.get(name) ?? []
    const candidates = all.filter(fits)
    const [only] = candidates
    if (only && candidates.length === 1) return only.id
    if (only) return `${this.field.label}「${name}」有 ${candidates.length} 个同名记录，无法确定是哪一个`
    return `${this.field.label}「${name}」${all.length > 0 ? `不属于该${this.narrowedBy}` : '不存在'}`
  }
}

function isReference(field: unknown): field is Reference {
  return typeof field === 'object' && field !== null && 'target' in field
}

/** Turns the cells of a file's rows into values, several hundred rows at a time. */
export class RowChecker {
  private readonly resource: Resource
  private readonly fixed: Readonly<Values>
  private readonly names: readonly { key: string; names: Names }[]

  /**
   * @param targets all resources, for the scopes of what is referred to
   * @param keys fields that the file gives
   * @param fixed values that all rows share, checked already
   */
  constructor(resource: Resource, targets: ReadonlyMap<string, Resource>, staff: Staff, keys: readonly string[], fixed: Readonly<Values>) {
    this.resource = resource
    this.fixed = fixed
    // What narrows another reference is found first.
    const depends = (field: Reference) => Object.keys(field.within).filter((own) => keys.includes(own)).length
    this.names = keys
      .flatMap((key) => {
        const field = resource.fields[key]
        const target = isReference(field) ? targets.get(field.target().name) : undefined
        if (!isReference(field) || !target) return []
        const labels = Object.keys(field.within).map((own) => resource.fields[own]?.label ?? own)
        return [{ key, field, names: new Names(field, target, staff, labels.join('、')) }]
      })
      .sort((a, b) => depends(a.field) - depends(b.field))
  }

  /** Checks rows; at most two queries for each reference column, and none when all names are known. */
  async check(db: Queryable, rows: readonly GivenRow[]): Promise<CheckedRow[]> {
    for (const { key, names } of this.names) await names.load(db, rows.flatMap(({ given }) => (given[key] as string | string[] | undefined) ?? []))
    return rows.map(({ rowNumber, given }) => this.checkRow(rowNumber, given))
  }

  private checkRow(rowNumber: number, given: Readonly<Values>): CheckedRow {
    const input: Values = { ...given, ...this.fixed }
    const wrong: Record<string, string> = {}
    for (const [key, value] of Object.entries(given)) {
      if (!isRegionField(this.resource.fields[key])) continue
      const short = shortRegion(String(value))
      const code = isRegion(short) ? short : regionCode(provinces, String(value))
      if (code) input[key] = code
      else wrong[key] = `${this.resource.fields[key]?.label ?? key}「${String(value)}」不存在，应填写如 江苏省/南京市/玄武区`
    }
    for (const { key, names } of this.names) {
      const value = given[key]
      if (value === undefined) continue
      const found = [value].flat().map((name) => names.find(String(name), { ...this.resource.where, ...input }))
      const sentences = found.filter((one) => typeof one === 'string')
      if (sentences.length > 0) wrong[key] = sentences.join('；')
      // A name that is not known must not narrow what comes after it.
      input[key] = sentences.length > 0 ? undefined : Array.isArray(value) ? found : found[0]
    }
    const { values, errors } = checkRecord(this.resource, input, false)
    return {
      rowNumber,
      values: Object.fromEntries(Object.entries(values).filter(([key, value]) => key in input && !isEmpty(value))),
      reasons: Object.values({ ...errors, ...wrong }),
    }
  }
}
