import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Named } from './calls.ts'
import { countedUntil } from './compute.server.ts'
import { shownFigures, visibleLists } from './figures.server.ts'
import { MOST_DAYS, startOfHour, stretchOf, type RangeName, type Stretch } from './stretch.ts'

const DAY = 86_400

interface AskedStretch { range: RangeName; from?: number | undefined; to?: number | undefined }

/** The stretch that is asked for. @throws AppError when it is too long, or begins after it ends */
export async function askedStretch(db: Queryable, { range, from, to }: AskedStretch): Promise<{ stretch: Stretch; counted_at: number }> {
  const counted_at = await countedUntil(db)
  const until = startOfHour(counted_at > 0 ? counted_at : Date.now() / 1000)
  if (range !== 'custom') return { stretch: stretchOf(range, until), counted_at }
  if (from === undefined || to === undefined) throw badRequest('请选择开始和结束日期')
  if (to < from) throw badRequest('结束日期不能早于开始日期')
  if (from > until) throw badRequest('开始日期不能晚于今天')
  if (to - from > MOST_DAYS * DAY) throw badRequest(`一次最多看 ${MOST_DAYS} 天`)
  return { stretch: stretchOf(range, until, { from, to }), counted_at }
}

/** Lines that a person may see something of. */
export const linesFor = (staff: Pick<Staff, 'modules' | 'scopes'>): Named[] => [...new Map(shownFigures().flatMap((figure) => visibleLists(figure, staff).flatMap(({ line, title }) => (line === '' ? [] : [[line, title] as const])))).entries()].map(([key, title]) => ({ key, title }))

/** @throws AppError when there is no such line, or the person may not see it */
export function checkLine(staff: Pick<Staff, 'modules' | 'scopes'>, line: string): void {
  if (line !== '' && !linesFor(staff).some(({ key }) => key === line)) throw badRequest('没有该产品线，或无权查看')
}
