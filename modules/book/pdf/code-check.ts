/** What is wrong with the codes of a file that is to be printed. Pure. */
import type { PrintCheck } from '../calls.ts'

/** A code as the book has it. */
export interface ExpectedCode {
  readonly code: string
  readonly name: string
  readonly page_no: number | null
  /** Whether it leads somewhere and has to be in the file. */
  readonly must: boolean
}

/** A code as it stands in the file; its page by counting, and by the number that is printed on it. */
export interface PlacedCode {
  readonly code: string | null
  readonly text: string
  readonly page_no: number
  readonly printed_no: number | null
  readonly mm: number
  readonly quiet: number
}

/** Sides in millimetres, quiet zone included: refused below, and advised (teaching.md 2.6). */
const LEAST_MM = 12
const GOOD_MM = 15
/** What measuring in dots may be wrong by. */
const BLUR = 0.3
/** White around a code in modules: four, of which half a one may be blurred. */
const LEAST_QUIET = 3.5
/** How many are named. */
const NAMED = 3

const named = (list: readonly string[]) => `${list.slice(0, NAMED).join('、')}${list.length > NAMED ? ` 等 ${list.length} 个` : ''}`
const at = ({ page_no, printed_no }: PlacedCode) => `第 ${printed_no ?? page_no} 页`

/** Checks the codes of a file. @param base address that codes are printed with; undefined where nobody knows yet */
export function checkCodes(expected: readonly ExpectedCode[], placed: readonly PlacedCode[], base: string | undefined): PrintCheck[] {
  const own = new Map(expected.map((code) => [code.code, code]))
  const found = placed.flatMap((place) => {
    const code = own.get(place.code ?? '')
    return code ? [{ ...place, code }] : []
  })
  const times = new Map<string, number>()
  for (const { code } of found) times.set(code.code, (times.get(code.code) ?? 0) + 1)
  const check = (label: string, wrong: readonly string[], words: string, must = true): PrintCheck => ({ label, ok: wrong.length === 0, must, detail: wrong.length === 0 ? null : `${named(wrong)}：${words}` })
  const name = ({ code, ...place }: (typeof found)[number]) => `「${code.name}」（${at({ ...place, code: null })}）`
  const strangers = placed.filter(({ code, text }) => !own.has(code ?? '') && (code !== null || /\/q\/[^/]+$/i.test(text)))
  return [
    check('缺码', expected.filter(({ code, must }) => must && !times.has(code)).map((code) => `「${code.name}」`), '印刷文件里没有找到'),
    check('重码', expected.filter(({ code }) => (times.get(code) ?? 0) > 1).map((code) => `「${code.name}」`), '在印刷文件里出现多次'),
    check('错页', found.filter(({ code, page_no, printed_no }) => code.page_no !== null && code.page_no !== page_no && code.page_no !== printed_no).map((one) => `${name(one)}应在第 ${one.code.page_no} 页`), '不在登记的页上'),
    check('他书', strangers.map((place) => `${place.text.slice(-12)}（${at(place)}）`), '不是本书的二维码'),
    check('网址', base === undefined ? [] : found.filter(({ code, text }) => text.toUpperCase() !== `${base.toUpperCase()}/Q/${code.code}`).map(name), `网址与印刷网址 ${base ?? ''} 不符，请用本站下载的二维码`),
    check('大小', found.filter(({ mm }) => mm < LEAST_MM - BLUR).map((one) => `${name(one)} ${one.mm.toFixed(1)} 毫米`), `小于 ${LEAST_MM} 毫米，手机难以识别`),
    check('留白', found.filter(({ quiet }) => quiet < LEAST_QUIET).map(name), '四周空白不足 4 格'),
    check('偏小', found.filter(({ mm }) => mm >= LEAST_MM - BLUR && mm < GOOD_MM - BLUR).map((one) => `${name(one)} ${one.mm.toFixed(1)} 毫米`), `建议不小于 ${GOOD_MM} 毫米`, false),
  ]
}
