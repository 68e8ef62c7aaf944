import { Suspense, type ComponentType } from 'react'
import { retryLazy } from '../ui/retry-lazy.tsx'
import type { Look, LookKind } from './look.ts'
import type { LookProps } from './look-parts.tsx'

type Shown = { readonly [Kind in LookKind]: ComponentType<LookProps<Kind>> }

/** What shows each look; each is fetched by whoever looks so. */
const SHOWN: Shown = {
  table: retryLazy(async () => ({ default: (await import('./group-view.tsx')).GroupView })),
  board: retryLazy(async () => ({ default: (await import('./board.tsx')).Board })),
  calendar: retryLazy(async () => ({ default: (await import('./calendar.tsx')).Calendar })),
  chart: retryLazy(async () => ({ default: (await import('./chart-view.tsx')).ChartView })),
}

/** A list that is not looked at as a plain table. */
export function Looked({ look, ...rest }: Omit<LookProps, 'look'> & { look: Look }) {
  const Shown = SHOWN[look.kind] as ComponentType<Omit<LookProps, 'look'> & { look: Look }>
  return <Suspense fallback={<div className="list-empty">加载中…</div>}><Shown key={look.kind} look={look} {...rest} /></Suspense>
}
