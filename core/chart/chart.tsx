import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import { init, use, type EChartsType } from 'echarts/core'
import type { EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useDark } from '../ui/dark.tsx'

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent, SVGRenderer])

interface Props {
  option: EChartsCoreOption
  /** Pixels. */
  height: number
  /** What the chart says, for those who do not see it. */
  label: string
  /** A bar or point was clicked. @param place which one of its series */
  onPick?: (place: number) => void
}

/** A chart that follows its place's size and the console's light or dark. */
export default function Chart({ option, height, label, onPick }: Props) {
  const dark = useDark()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const picked = useEffectEvent((at: number) => onPick?.(at))
  useEffect(() => {
    if (!place.current) return
    const drawn = init(place.current, dark ? 'dark' : undefined, { renderer: 'svg' })
    chart.current = drawn
    drawn.on('click', ({ dataIndex }) => picked(dataIndex))
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
