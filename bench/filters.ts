/** Every filter of a list, one by one, from ten clients: what an operator can ask of it. */
import { measure, type Measured } from './measure.ts'
import { OURS } from './servers.ts'

/** domain 5: lists and their filters, p95. */
const TARGET = 80

/** A filter as it stands in the address; the number makes each request another. */
export type Asked = Readonly<Record<string, (n: number) => string>>

/**
 * Asks a list by each filter and prints how long the answers took.
 * @returns names of the filters that missed the target
 */
export async function measureFilters(title: string, list: string, headers: Record<string, string>, asked: Asked, seconds: number): Promise<string[]> {
  const missed: string[] = []
  console.log(title)
  for (const [name, query] of Object.entries(asked)) {
    const { perSecond, p50, p97, failed }: Measured = await measure({ url: (n) => `${OURS}${list}?${query(n)}`, headers }, seconds)
    // The load generator knows 97.5 %, which is a little stricter than the 95 % that is asked for.
    if (p97 > TARGET || failed > 0) missed.push(name)
    console.log(`  ${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${String(p50).padStart(4)} ms  p97.5 ${String(p97).padStart(4)} ms${p97 > TARGET ? '  over 80 ms' : ''}${failed ? `  FAILED ${failed}` : ''}`)
  }
  return missed
}
