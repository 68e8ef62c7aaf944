import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo } from 'react'
import { Skeleton } from 'antd'
import { formatTime } from '../../core/field/time.ts'
import { useDark } from '../../core/ui/dark.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import type { Note, StretchInfo, Tile } from './calls.ts'
import { axisText, dayWord, figureText, hourWord } from './words.ts'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))
const DAY = 86_400
const HEIGHT = 296
/** Share of a chart that the words of a note take: on a desk, and on a phone. */
export const WORDS_TAKE = { desk: 0.16, phone: 0.5 } as const

/** Colours of charts, which cannot read the console's own names for them. */
export const chartColors = (dark: boolean) => ({ bar: dark ? '#2b8ae8' : '#0170d9', text: dark ? '#b3bcc8' : '#4d5868', line: dark ? '#282e36' : '#e8ebef', bad: dark ? '#ef5f5f' : '#d93a3a', before: dark ? '#8e99a8' : '#5e6978', ground: dark ? '#181c21' : '#ffffff' })

type Colors = ReturnType<typeof chartColors>

/** Notes as stems over their days; several of a day stand on one stem. @param apart seconds that the words of one take */
export function noteLines(notes: readonly Note[], nameOf: (day: number) => string, { bad, before, text }: Colors, apart: number) {
  // Words that would lie over each other stand in the tooltip alone.
  let last = -Infinity
  const data = [...Map.groupBy(notes, ({ day }) => day)].map(([day, some]) => {
    const color = some.some((note) => note.bad) ? bad : before
    const show = day - last >= apart
    if (show) last = day
    return { xAxis: nameOf(day), lineStyle: { color, type: 'solid', width: 1 }, itemStyle: { color }, label: { show, formatter: some.map(({ body }) => body).join('；').slice(0, 24), color: text, position: 'end', distance: 4, fontSize: 12 } }
  })
  return { symbol: ['none', 'circle'], symbolSize: 6, silent: true, data }
}

function optionOf(tile: Tile, stretch: StretchInfo, notes: readonly Note[], forecast: number | undefined, colors: Colors, take: number): EChartsCoreOption {
  const days = tile.values.map((_value, at) => stretch.from + at * DAY)
  const isPartial = stretch.to < stretch.from + stretch.days * DAY
  const last = tile.values.length - 1
  const names = days.map((day, at) => (isPartial && at === last ? `${dayWord(day)} 未结束` : dayWord(day)))
  const rest = isPartial && forecast !== undefined ? Math.max(0, forecast - (tile.values[last] ?? 0)) : undefined
  return {
    color: [colors.bar],
    grid: { left: 8, right: 16, top: notes.length > 0 ? 40 : 16, bottom: 4, containLabel: true },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (points: { dataIndex: number }[]) => {
      const at = points[0]?.dataIndex ?? 0
      const own = notes.filter(({ day }) => day === days[at]).map(({ body }) => `<br>${body.replace(/[<>&]/g, '')}`).join('')
      const ahead = at === last && rest !== undefined ? `<br>到今天结束约 ${figureText(tile.as, forecast ?? 0)}` : ''
      return `${formatTime(days[at] ?? 0).slice(0, 10)}　${figureText(tile.as, tile.values[at] ?? 0)}<br>${formatTime((days[at] ?? 0) - stretch.days * DAY).slice(0, 10)}　${figureText(tile.as, tile.before_values[at] ?? 0)}${ahead}${own}`
    } },
    xAxis: { type: 'category', data: names, axisTick: { show: false }, axisLine: { lineStyle: { color: colors.line } }, axisLabel: { color: colors.text, hideOverlap: true } },
    yAxis: { type: 'value', axisLabel: { color: colors.text, formatter: (value: number) => axisText(tile.as, value) }, splitLine: { lineStyle: { color: colors.line } } },
    series: [
      {
        name: '本期', type: 'bar', stack: 'now', barMaxWidth: 28, markLine: noteLines(notes, (day) => names[Math.round((day - stretch.from) / DAY)] ?? '', colors, stretch.days * DAY * take),
        data: tile.values.map((value, at) => (isPartial && at === last ? { value, itemStyle: { color: colors.ground, borderColor: colors.bar, borderWidth: 1, decal: { symbol: 'rect', color: colors.bar, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 } } } : value)),
      },
      ...(rest !== undefined ? [{ name: '预计', type: 'bar', stack: 'now', barMaxWidth: 28, silent: true, data: tile.values.map((_value, at) => (at === last ? rest : 0)), itemStyle: { color: 'transparent', borderColor: colors.before, borderType: 'dashed', borderWidth: 1 } }] : []),
      { name: '上期', type: 'line', data: tile.before_values, showSymbol: false, lineStyle: { color: colors.before, type: 'dotted', width: 1.5 }, itemStyle: { color: colors.before } },
    ],
  }
}

/** A figure day by day: bars, the stretch before dotted, a day that is not over hatched, notes on stems. */
export function TrendChart({ tile, stretch, notes, forecast }: { tile: Tile; stretch: StretchInfo; notes: readonly Note[]; forecast: number | undefined }) {
  const dark = useDark()
  const take = useWide('md') ? WORDS_TAKE.desk : WORDS_TAKE.phone
  const option = useMemo(() => optionOf(tile, stretch, notes, forecast, chartColors(dark), take), [tile, stretch, notes, forecast, dark, take])
  const label = `${tile.title}，${hourWord(stretch.from)} 至 ${hourWord(stretch.to)}，共 ${figureText(tile.as, tile.value)}，上期 ${figureText(tile.as, tile.before)}`
  return <Suspense fallback={<Skeleton active paragraph={{ rows: 6 }} />}><Chart option={option} height={HEIGHT} label={label} /></Suspense>
}
