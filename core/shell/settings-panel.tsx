import { CheckOutlined } from '@ant-design/icons'
import { App, Button, ColorPicker, Drawer, Segmented, Select, Switch } from 'antd'
import { useId } from 'react'
import { LAYOUTS, LOCK_AFTER, MODES, THEME_COLORS, defaultSettings, type Settings } from './settings.ts'
import { useSettings } from './settings-context.tsx'

const modeNames: Readonly<Record<Settings['mode'], string>> = { light: '浅色', dark: '深色', system: '系统' }
const layoutNames: Readonly<Record<Settings['layout'], string>> = { side: '侧边菜单', top: '顶部菜单', mixed: '混合菜单' }

type Flag = { [Key in keyof Settings]: Settings[Key] extends boolean ? Key : never }[keyof Settings]

/** shell.md 124 names the first three. */
const parts: readonly { readonly title: string; readonly flags: readonly (readonly [Flag, string])[] }[] = [
  { title: '界面', flags: [['tagsView', '开启 Tags-View'], ['fixedHeader', '固定 Header'], ['sidebarLogo', '侧边栏 Logo'], ['watermark', '显示水印']] },
  { title: '显示', flags: [['colorWeak', '色弱友好'], ['grey', '灰色模式'], ['transition', '页面切换动画'], ['calm', '减少动态效果']] },
]

function FlagRow({ flag, label }: { flag: Flag; label: string }) {
  const { settings, change } = useSettings()
  const id = useId()
  return <div className="settings-row"><label htmlFor={id}>{label}</label><Switch id={id} checked={settings[flag]} onChange={(on) => change({ [flag]: on })} /></div>
}

/** shell.md R: how the console looks and is laid out. Every choice shows at once and is kept on the server. */
export function SettingsPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const { settings, change } = useSettings()
  const lock = useId()
  const known = THEME_COLORS.some((color) => color.toLowerCase() === settings.themeColor.toLowerCase())
  return (
    <Drawer open={open} onClose={onClose} title="系统布局配置" size={260} closable={false} classNames={{ body: 'settings-panel', mask: 'settings-mask' }}
      footer={<Button block onClick={() => { change(defaultSettings); void message.success('已恢复默认设置') }}>恢复默认</Button>}>
      <h3>深浅</h3>
      <Segmented block aria-label="深浅" value={settings.mode} onChange={(mode) => change({ mode })} options={MODES.map((mode) => ({ value: mode, label: modeNames[mode] }))} />
      <h3>主题色</h3>
      <div className="swatches">
        {THEME_COLORS.map((color) => (
          <button key={color} type="button" className="swatch" style={{ background: color }} aria-label={`主题色 ${color}`} aria-pressed={settings.themeColor.toLowerCase() === color.toLowerCase()}
            onClick={() => change({ themeColor: color })}>{settings.themeColor.toLowerCase() === color.toLowerCase() && <CheckOutlined />}</button>
        ))}
        <ColorPicker size="small" disabledAlpha disabledFormat value={settings.themeColor} onChangeComplete={(color) => change({ themeColor: color.toHexString().slice(0, 7) })}>
          <button type="button" className="swatch" style={{ background: known ? 'conic-gradient(#f33, #fd3, #3d6, #3cf, #63f, #f33)' : settings.themeColor }} aria-label="其他主题色">{!known && <CheckOutlined />}</button>
        </ColorPicker>
      </div>
      <p className="settings-note">文字颜色会自动调整到看得清的深浅。</p>
      <h3>菜单布局</h3>
      <div className="layouts" role="radiogroup" aria-label="菜单布局">
        {LAYOUTS.map((layout) => (
          <button key={layout} type="button" role="radio" aria-checked={settings.layout === layout} className="layout-choice" onClick={() => change({ layout })}>
            <span className="layout-picture" data-layout={layout} />{layoutNames[layout]}
          </button>
        ))}
      </div>
      {parts.map(({ title, flags }) => (
        <section key={title}>
          <h3>{title}</h3>
          {flags.map(([flag, label]) => <FlagRow key={flag} flag={flag} label={label} />)}
        </section>
      ))}
      <h3>安全</h3>
      <div className="settings-row">
        <label htmlFor={lock}>离开后遮挡屏幕</label>
        <Select id={lock} value={settings.lockAfter} onChange={(lockAfter) => change({ lockAfter })} popupMatchSelectWidth={false}
          options={LOCK_AFTER.map((minutes) => ({ value: minutes, label: minutes === 0 ? '不遮挡' : `${minutes} 分钟` }))} />
      </div>
    </Drawer>
  )
}
