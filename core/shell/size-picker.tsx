import { FontSizeOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import { SIZES, type Size } from './settings.ts'
import { useSettings } from './settings-context.tsx'

/** spec 2: the words of the picker. */
const names: Readonly<Record<Size, string>> = { default: 'Default', medium: 'Medium', small: 'Small', mini: 'Mini' }

/** Chooses the size of everything; forms and pages stay as they are (shell.md 89-91). */
export function SizePicker() {
  const { message } = App.useApp()
  const { size, changeSize } = useSettings()
  return (
    <Dropdown trigger={['click']} menu={{
      items: SIZES.map((one) => ({ key: one, label: names[one], disabled: one === size })),
      onClick: ({ key }) => {
        changeSize(key as Size)
        void message.success('Switch Size Success')
      },
    }}>
      <Button type="text" icon={<FontSizeOutlined />} aria-label="全局尺寸" title="全局尺寸" />
    </Dropdown>
  )
}
