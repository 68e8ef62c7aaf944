import autocannon from 'autocannon'

export interface Measured {
  perSecond: number
  p50: number
  p99: number
  failed: number
}

interface Shot {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Body of the n-th request. */
  body?: (n: number) => string
  /** Headers of the n-th request. */
  headersOf?: (n: number) => Record<string, string>
}

let sent = 0

/** Ten clients for a few seconds against one address, after a warm-up. */
export async function measure(shot: Shot, seconds = 5, connections = 10): Promise<Measured> {
  const run = (duration: number) => autocannon({
    url: shot.url,
    connections,
    duration,
    requests: [{
      method: shot.method ?? 'GET',
      headers: { ...shot.headers, ...(shot.body && { 'content-type': 'application/json' }) },
      setupRequest: (request) => {
        const n = sent++
        return { ...request, ...(shot.body && { body: shot.body(n) }), headers: { ...request.headers, ...shot.headersOf?.(n) } }
      },
    }],
  })
  await run(1)
  const result = await run(seconds)
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, failed: result.non2xx + result.errors }
}

/** The middle one of several measurements in turn, so that a slow moment of the machine hits all alike. */
export async function alternate(shots: Record<string, Shot>, rounds = 3, seconds = 4): Promise<Record<string, Measured>> {
  const all: Record<string, Measured[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, shot] of Object.entries(shots)) (all[name] ??= []).push(await measure(shot, seconds))
  }
  return Object.fromEntries(Object.entries(all).map(([name, list]) => [name, list.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(list.length / 2)] ?? list[0]])) as Record<string, Measured>
}

/** A row of the report. */
export function line(name: string, { perSecond, p50, p99, failed }: Measured, ratio?: string): void {
  console.log(`  ${name.padEnd(34)} ${perSecond.toFixed(0).padStart(7)} req/s   p50 ${p50} ms   p99 ${p99} ms${failed ? `   FAILED ${failed}` : ''}${ratio ? `   ${ratio}` : ''}`)
}
