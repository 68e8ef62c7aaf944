/** Rows of foreign sheets as records: where the header is, which rows belong together. */
import { lost, type ParsedItem } from './item.ts'
import { TARGETS } from './json-mapping.ts'

export interface Row {
  rowNumber: number
  value: Record<string, unknown>
}

export const rowPlace = ({ rowNumber }: Row) => `第 ${rowNumber} 行`

/** Column that names the question which a row belongs to (domain 3.9). */
export const PARENT = /^(?:父题|父题(?:序号|题号|编号|号)|所属(?:大题|父题|材料)(?:序号|题号)?|大题题号|材料题号|parent(?:_?(?:no|id))?)$/i
/** Column of the sub-questions in what is made of the rows, and of options that had a row each. */
export const CHILDREN = '小题'
const ROW_OPTIONS = '各行的选项'

const KNOWN = new Set<string>(TARGETS.flatMap(({ names }) => [...names]))
const plain = (text: string) => text.replace(/[*＊\s]|[（(][^（）()]*[)）]$/g, '').toLowerCase()
const isName = (text: string) => KNOWN.has(plain(text)) || /^(?:选项)?[A-H]$|^(?:选项|答案|空)\d$|父题/i.test(text.trim())

/** Rows in which a header is looked for: titles and instructions stand above it. */
export const LOOKED = 12

/**
 * Which of the first rows names the columns: the one with the most names that are known; failing that the first with
 * two different words.
 */
export function headerRow(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, LOOKED).map((row) => new Set(row.map((text) => text.trim()).filter((text) => text !== '' && isName(text))).size)
  const best = Math.max(0, ...counts)
  return best >= 2 ? counts.indexOf(best) : rows.findIndex((row) => new Set(row.filter((text) => text.trim() !== '')).size >= 2)
}

const columnOf = (header: readonly string[], names: RegExp) => header.find((name) => names.test(name))
const namesOf = (key: string) => new RegExp(`^(?:${TARGETS.find((target) => target.key === key)?.names.join('|') ?? ''})$`, 'i')
const STEM = namesOf('stem')
const TYPE = namesOf('type')
const PASSAGE = namesOf('passage')
const OPTION = /^(?:选项内容|选项文本|选项|备选项|option_?(?:text|content)?|choice)$/i
const OPTION_LABEL = /^(?:选项(?:标号|序号|编号|字母|标识|号)|option_?(?:key|label|letter|no))$/i
const OPTION_RIGHT = /^(?:是否正确(?:答案|选项)?|是否答案|正确与否|is_?(?:correct|right|answer)|correct)$/i

/**
 * One row per option: rows below a question that bring an option and no stem of their own, or the same stem again,
 * are its options.
 */
export function groupOptions(rows: readonly Row[], header: readonly string[]): Row[] {
  const stem = columnOf(header, STEM)
  const option = columnOf(header, /^(?:选项内容|选项文本|option_?(?:text|content))$/i) ?? columnOf(header, OPTION)
  if (stem === undefined || option === undefined || option === stem) return [...rows]
  const [label, right] = [columnOf(header, OPTION_LABEL), columnOf(header, OPTION_RIGHT)]
  const grouped: { row: Row; options: Record<string, unknown>[] }[] = []
  for (const row of rows) {
    const own = row.value[stem]
    const last = grouped.at(-1)
    const next = { ...(label && row.value[label] !== undefined ? { label: row.value[label] } : {}), text: row.value[option] ?? '', ...(right ? { is_correct: row.value[right] ?? '0' } : {}) }
    const goesOn = last !== undefined && row.value[option] !== undefined && (own === undefined || own === last.row.value[stem])
    if (goesOn) {
      last.options.push(next)
      for (const [name, value] of Object.entries(row.value)) if (last.row.value[name] === undefined) last.row.value[name] = value
    } else grouped.push({ row: { ...row, value: { ...row.value } }, options: row.value[option] === undefined ? [] : [next] })
  }
  // A column of options with one row for each question holds them all in its cell.
  if (grouped.every(({ options }) => options.length < 2)) return [...rows]
  return grouped.map(({ row, options }) => {
    if (options.length < 2) return row
    const { [option]: _, ...value } = row.value
    if (label) delete value[label]
    if (right) delete value[right]
    return { ...row, value: { ...value, [ROW_OPTIONS]: options } }
  })
}

/** Rows below one another with the same passage (a merged cell) are the sub-questions of it. */
export function groupPassages(rows: readonly Row[], header: readonly string[]): Row[] {
  const passage = columnOf(header, PASSAGE)
  if (passage === undefined) return [...rows]
  const grouped: Row[] = []
  for (const row of rows) {
    const last = grouped.at(-1)
    const text = row.value[passage]
    const { [passage]: _, ...own } = row.value
    if (last && text !== undefined && text === last.value[passage]) {
      if (last.value[CHILDREN] === undefined) {
        const { [passage]: __, ...first } = last.value
        last.value = { [passage]: text, [CHILDREN]: [first] }
      }
      (last.value[CHILDREN] as unknown[]).push(own)
    } else grouped.push({ ...row, value: { ...row.value } })
  }
  return grouped
}

const MATERIAL = /^(?:材料(?:分析)?题|阅读理解|题组|组合题|共用题干题?|综合题|案例(?:分析)?题|完形填空)$/
const SUB = /^(?:子题|小题|材料题?)?\s*[-—_（(:：]+\s*(?:子题|小题)?|^(?:子题|小题)/

/**
 * A row called 材料题 without an answer: the rows below it that say they are its parts (子题-单选题) are. Where rows
 * follow that say nothing, nobody knows whether they belong to it.
 * @param broken takes the places at which that is not certain
 */
export function groupMaterials(rows: readonly Row[], header: readonly string[], broken: ParsedItem[]): Row[] {
  const [type, answer] = [columnOf(header, TYPE), columnOf(header, namesOf('answer'))]
  if (type === undefined || header.some((name) => PARENT.test(name))) return [...rows]
  const nameOf = (row: Row) => String(row.value[type] ?? '').replace(/\s/g, '')
  const grouped: Row[] = []
  let open: Row | null = null
  for (const row of rows) {
    const name = nameOf(row)
    const isMaterial = MATERIAL.test(name) && (answer === undefined || row.value[answer] === undefined) && row.value[CHILDREN] === undefined
    if (open && SUB.test(name)) {
      const { [type]: _, ...own } = row.value
      const kind = name.replace(SUB, '').replace(/[)）]$/, '')
      ;((open.value[CHILDREN] ??= []) as unknown[]).push({ ...own, ...(kind ? { [type]: kind } : {}) })
      continue
    }
    if (open && open.value[CHILDREN] === undefined && !isMaterial) broken.push(lost(rowPlace(row), `上面第 ${open.rowNumber} 行是「${nameOf(open)}」，不能确定这一行和以下各行是不是它的小题；请加一列「父题序号」写明`))
    open = isMaterial ? { ...row, value: { ...row.value } } : null
    grouped.push(open ?? row)
  }
  return grouped
}
