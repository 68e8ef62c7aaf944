import { BgColorsOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { Suspense } from 'react'
import type { Resource } from '../resource/define.ts'
import { groupKeys } from '../resource/groups.ts'
import { retryLazy } from '../ui/retry-lazy.tsx'
import { LOOK_WORDS, looksOf, type Look } from './look.ts'
import type { LookOptionsProps } from './look-options.tsx'

const LookOptions = retryLazy(async () => ({ default: (await import('./look-options.tsx')).LookOptions }))
const IN_SIGHT = { overflow: { shiftX: true, adjustY: true } }

/** How a list is looked at: 表格 / 看板 / 日历 / 图表, as far as its definition allows; and what is grouped and coloured in it. */
export function LookSwitch(props: LookOptionsProps & { resource: Resource }) {
  const { resource, look, colors, onLook } = props
  const looks = looksOf(resource)
  const on = Boolean(colors) || (look.kind === 'table' && look.by !== undefined)
  const press = (next: Look) => { if (next.kind !== look.kind) onLook(next) }
  return (
    <div className="look-switch">
      {looks.length > 1 && (
        <div role="group" aria-label="查看方式">
          {looks.map((offered) => <button key={offered.kind} type="button" aria-pressed={offered.kind === look.kind} onClick={() => press(offered)}>{LOOK_WORDS[offered.kind]}</button>)}
        </div>
      )}
      <Popover trigger="click" placement="bottomRight" align={IN_SIGHT} title={groupKeys(resource).length > 0 ? '分组和颜色' : '颜色'} content={<Suspense fallback={<div className="look-options" aria-busy />}><LookOptions {...props} /></Suspense>}>
        <Button type="text" className="filter-button" data-on={on} icon={<BgColorsOutlined />} aria-label="分组和颜色" title="分组和颜色" />
      </Popover>
    </div>
  )
}
