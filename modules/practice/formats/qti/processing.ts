/** What the processing of an item says about its answers: tolerances, points, and what cannot be understood. */
import { textIn, type XmlElement } from '../xml.ts'
import { all, is, value } from './names.ts'

export interface Processing {
  /** Values that are compared with, by the identifier of the response. */
  matched: ReadonlyMap<string, string[]>
  /** How far numbers may be off, by the identifier of the response. */
  tolerances: ReadonlyMap<string, { amount: number; isShare: boolean }>
  /** Parts of the rules that are more than comparing; empty when all is understood. */
  unknown: string[]
}

/** Elements with which an answer is compared and points are given. */
const PLAIN = ['responseCondition', 'responseIf', 'responseElseIf', 'responseElse', 'match', 'member', 'stringMatch', 'equal', 'variable', 'correct', 'baseValue', 'mapResponse', 'setOutcomeValue', 'isNull', 'sum', 'and', 'multiple', 'ordered']

const branches = (element: XmlElement) => [...all(element, 'responseIf'), ...all(element, 'responseElseIf')]
/** Whether something is done with the points; others only choose what is said. */
function scores(element: XmlElement): boolean {
  const set = all(element, 'setOutcomeValue')
  return set.length === 0 || set.some((one) => !/feed|msg|message|comment/i.test(value(one, 'identifier') ?? ''))
}

/** Reads the rules of an item. */
export function processingOf(root: XmlElement): Processing {
  const matched = new Map<string, string[]>()
  const tolerances = new Map<string, { amount: number; isShare: boolean }>()
  const unknown = new Set<string>()
  const processing = all(root, 'responseProcessing')[0]
  const points = new Set<number>()
  for (const branch of processing ? branches(processing).filter(scores) : []) {
    for (const element of descend(branch)) if (!PLAIN.some((name) => is(element, name))) unknown.add(element.name.replace(/^qti-/, ''))
    const compared = [...all(branch, 'match'), ...all(branch, 'member'), ...all(branch, 'stringMatch')]
    for (const match of compared) {
      const variable = value(all(match, 'variable')[0], 'identifier')
      const bases = all(match, 'baseValue').map((base) => textIn(base).trim())
      if (variable && bases.length > 0) matched.set(variable, [...(matched.get(variable) ?? []), ...bases])
    }
    for (const equal of all(branch, 'equal')) {
      const variable = value(all(equal, 'variable')[0], 'identifier')
      const amounts = (value(equal, 'tolerance') ?? '').split(/\s+/).filter(Boolean).map(Number)
      const [low = 0, high = low] = amounts
      if (variable && value(equal, 'toleranceMode') !== 'exact' && amounts.length > 0) tolerances.set(variable, { amount: Math.min(low, high), isShare: value(equal, 'toleranceMode') === 'relative' })
      if (low !== high) unknown.add('两侧不同的误差')
    }
    if (compared.some((match) => all(match, 'baseValue').length > 0)) {
      const set = all(branch, 'setOutcomeValue').flatMap((one) => all(one, 'baseValue')).map((base) => Number(textIn(base))).filter((one) => one > 0)
      for (const one of set) points.add(one)
    }
  }
  if (points.size > 1) unknown.add('不同答案得不同的分')
  return { matched, tolerances, unknown: [...unknown] }
}

const descend = (element: XmlElement): XmlElement[] => element.children.flatMap((one) => (typeof one === 'string' ? [] : [one, ...descend(one)]))
