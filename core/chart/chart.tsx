import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import { init, use, type EChartsType } from 'echarts/core'
import type { EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useDark } from '../ui/dark.tsx'

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent, SVGRenderer])

interface Props {
  option: EChartsCoreOption
  /** Pixels. */
  height: number
  /** What the chart says, for those who do not see it. */
  label: string
}

/** A chart that follows its place's size and the console's light or dark. */
export default function Chart({ option, height, label }: Props) {
  const dark = useDark()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  useEffect(() => {
    if (!place.current) return
    const drawn = init(place.current, dark ? 'dark' : undefined, { renderer: 'svg' })
    chart.current = drawn
    const watcher = new ResizeObserver(() => drawn.resize())
    watcher.observe(place.current)
    return () => {
      watcher.disconnect()
      drawn.dispose()
    }
  }, [dark])
  useEffect(() => {
    chart.current?.setOption({ backgroundColor: 'transparent', animation: false, ...option }, true)
  }, [option, dark])
  return <div ref={place} role="img" aria-label={label} style={{ height }} />
}
