import autocannon, { type Result } from 'autocannon'

export interface Measured {
  perSecond: number
  p50: number
  p95: number
  p99: number
  failed: number
}

export interface Shot {
  /** Address of the n-th request. */
  url: (n: number) => string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Body of the n-th request. */
  body?: (n: number) => string
  /** Headers of the n-th request. */
  headersOf?: (n: number) => Record<string, string>
}

/** Clients that each wait for their answer before they ask again. */
export const CLIENTS = 10
let sent = 0

/** Ten clients for some seconds against one kind of request, after a second of warm-up. */
export async function measure(shot: Shot, seconds = 4): Promise<Measured> {
  // Its own report knows no 95 %.
  let times: number[] = []
  const run = (duration: number) => new Promise<Result>((resolve, reject) => {
    times = []
    autocannon({
      url: new URL(shot.url(0)).origin,
      connections: CLIENTS,
      duration,
      requests: [{
        method: shot.method ?? 'GET',
        setupRequest: (request) => {
          const n = sent++
          const { pathname, search } = new URL(shot.url(n))
          return {
            ...request, path: pathname + search, ...(shot.body && { body: shot.body(n) }),
            headers: { ...shot.headers, ...(shot.body && { 'content-type': 'application/json' }), ...shot.headersOf?.(n) },
          }
        },
      }],
    }, (error, result) => (error ? reject(error) : resolve(result))).on('response', (_client, _status, _bytes, ms) => times.push(ms))
  })
  await run(1)
  const result = await run(seconds)
  return { perSecond: result.requests.average, p50: result.latency.p50, p95: at(times, 0.95), p99: result.latency.p99, failed: result.non2xx + result.errors }
}

/** The value that so large a share of all is below: 0.95 for p95, 1 for the largest. */
export const at = (values: readonly number[], share: number): number => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
export const median = (values: readonly number[]): number => at(values, 0.5)

/**
 * Measures several sides in turn, so that a slow moment of the machine hits all alike, and prints the medians.
 * @param shots the first is the product; beside each other one stands how many times as fast as that the product is
 */
export async function compare(title: string, shots: Readonly<Record<string, Shot>>, rounds: number): Promise<void> {
  const all = new Map<string, Measured[]>(Object.keys(shots).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, shot] of Object.entries(shots)) all.get(name)?.push(await measure(shot))
  }
  const [product = []] = [...all.values()]
  console.log(title)
  for (const [name, measured] of all) {
    const ratios = measured.map(({ perSecond }, round) => (product[round]?.perSecond ?? 0) / (perSecond || 1))
    line(name, summary(measured), measured === product ? '' : `product ${median(ratios).toFixed(2)}×`)
  }
}

/** The medians of several measurements. */
export function summary(measured: readonly Measured[]): Measured {
  const of = (key: keyof Measured) => median(measured.map((one) => one[key]))
  return { perSecond: of('perSecond'), p50: of('p50'), p95: of('p95'), p99: of('p99'), failed: Math.max(...measured.map((one) => one.failed)) }
}

/** A row of the report. */
export function line(name: string, { perSecond, p50, p99, failed }: Measured, ratio = ''): void {
  console.log(`  ${name.padEnd(62)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms  ${ratio}${failed ? `  FAILED ${failed}` : ''}`)
}
