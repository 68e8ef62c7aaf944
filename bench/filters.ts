/** Every filter of a list, one by one, from ten clients: what an operator can ask of it. */
import { measure, type Measured, type Shot } from './measure.ts'
import { OURS } from './servers.ts'

/** domain 5: lists and their filters, p95. */
const TARGET = 80

/** A filter as it stands in the address; the number makes each request another. */
export type Asked = Readonly<Record<string, (n: number) => string>>

/**
 * Sends requests of several kinds, each from ten clients for some seconds, and prints how long the answers took.
 * @param shots each with the milliseconds that it may take
 * @returns names of those that missed their target
 */
export async function measureShots(title: string, shots: Readonly<Record<string, Shot & { target: number }>>, seconds: number): Promise<string[]> {
  const missed: string[] = []
  console.log(title)
  for (const [name, { target, ...shot }] of Object.entries(shots)) {
    const { perSecond, p50, p95, failed }: Measured = await measure(shot, seconds)
    if (p95 > target || failed > 0) missed.push(name)
    console.log(`  ${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${String(p50).padStart(4)} ms  p95 ${String(Math.round(p95)).padStart(4)} ms${p95 > target ? `  over ${target} ms` : ''}${failed ? `  FAILED ${failed}` : ''}`)
  }
  return missed
}

/** The filters of a list as requests. @returns names of the filters that missed the target */
export function measureFilters(title: string, list: string, headers: Record<string, string>, asked: Asked, seconds: number): Promise<string[]> {
  return measureShots(title, Object.fromEntries(Object.entries(asked).map(([name, query]) => [name, { url: (n: number) => `${OURS}${list}?${query(n)}`, headers, target: TARGET }])), seconds)
}
