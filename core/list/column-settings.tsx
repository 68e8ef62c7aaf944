import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { Suspense } from 'react'
import { retryLazy } from '../ui/retry-lazy.tsx'
import type { ColumnChoiceProps } from './column-choice.tsx'

const ColumnChooser = retryLazy(async () => ({ default: (await import('./column-choice.tsx')).ColumnChooser }))

/** On a phone the button is too far left for it; then it is moved into sight. */
const IN_SIGHT = { overflow: { shiftX: true, adjustY: true } }

/** The button for a list's columns; what it opens is fetched then. */
export function ColumnSettings(props: ColumnChoiceProps) {
  return (
    <Popover trigger="click" placement="bottomRight" align={IN_SIGHT} title="列设置" content={<Suspense fallback={<div className="column-settings" aria-busy />}><ColumnChooser {...props} /></Suspense>}>
      <Button className="column-button" icon={<SettingOutlined />} aria-label="列设置">列设置</Button>
    </Popover>
  )
}
