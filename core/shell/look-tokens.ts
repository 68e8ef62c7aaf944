import { readable } from './contrast.ts'
import type { Settings, Size } from './settings.ts'

/** Height of inputs and buttons and size of text, in pixels. How far things stand apart is the same in every size. */
const sizes: Readonly<Record<Size, { controlHeight: number; fontSize: number }>> = {
  default: { controlHeight: 36, fontSize: 15 },
  medium: { controlHeight: 32, fontSize: 14 },
  small: { controlHeight: 28, fontSize: 13 },
  mini: { controlHeight: 24, fontSize: 12 },
}

/** The grounds, lines and words of both modes (docs/design.md); shell.css holds the same for the style sheets. */
const grounds = {
  light: {
    colorBgLayout: '#f4f6f8', colorBgContainer: '#ffffff', colorBgElevated: '#ffffff', colorSplit: '#e8ebef', colorBorderSecondary: '#e8ebef', colorBorder: '#d3d9e0',
    colorText: '#1a212b', colorTextSecondary: '#4d5868', colorTextTertiary: '#5e6978', colorTextDescription: '#5e6978', colorTextPlaceholder: '#5e6978',
    colorSuccess: '#117a47', colorWarning: '#925500', colorError: '#c42a2a', colorSuccessBg: '#e8f6ee', colorWarningBg: '#fdf3e2', colorErrorBg: '#fdeceb', controlItemBgActive: '#ebf4fe', controlItemBgHover: '#f4f7fb',
  },
  dark: {
    colorBgLayout: '#111418', colorBgContainer: '#181c21', colorBgElevated: '#22282f', colorSplit: '#282e36', colorBorderSecondary: '#282e36', colorBorder: '#3b444f',
    colorText: '#e6eaef', colorTextSecondary: '#b3bcc8', colorTextTertiary: '#8e99a8', colorTextDescription: '#8e99a8', colorTextPlaceholder: '#8e99a8',
    colorSuccess: '#4fc98a', colorWarning: '#e3a940', colorError: '#ff7d7d', colorSuccessBg: '#132a1f', colorWarningBg: '#2f2512', colorErrorBg: '#351d1d', controlItemBgActive: '#16304a', controlItemBgHover: '#20262d',
  },
} as const

/** Colours of tables, which the library has no general word for. */
export function tableTokens(dark: boolean) {
  return dark
    ? { headerBg: '#1c2127', headerColor: '#8e99a8', rowHoverBg: '#20262d', rowSelectedBg: '#16304a', rowSelectedHoverBg: '#16304a', headerSplitColor: 'transparent', headerSortActiveBg: '#20262d', headerSortHoverBg: '#20262d', fixedHeaderSortActiveBg: '#20262d', bodySortBg: '#1c2127' }
    : { headerBg: '#f8f9fb', headerColor: '#5e6978', rowHoverBg: '#f4f7fb', rowSelectedBg: '#ebf4fe', rowSelectedHoverBg: '#ebf4fe', headerSplitColor: 'transparent', headerSortActiveBg: '#eff2f6', headerSortHoverBg: '#eff2f6', fixedHeaderSortActiveBg: '#eff2f6', bodySortBg: '#f8f9fb' }
}

/** The ground on which links are hardest to read: that of a chosen row. */
const LINK_GROUND = { light: '#ebf4fe', dark: '#22344a' } as const

/** Shades of good and bad that differ for every kind of colour vision (after Okabe and Ito). */
const weak = {
  light: { colorSuccess: '#00639c', colorError: '#b34700', colorWarning: '#7a5e00', colorSuccessBg: '#e6f1f8', colorErrorBg: '#fcefe6', colorWarningBg: '#f7f3df' },
  dark: { colorSuccess: '#56b4e9', colorError: '#ff9a4d', colorWarning: '#f0e442', colorSuccessBg: '#12283a', colorErrorBg: '#35210f', colorWarningBg: '#2e2c10' },
} as const

/** Tokens of the component library: colours that can be read, whatever was chosen, and the density of a size. */
export function lookTokens({ themeColor, colorWeak, calm }: Pick<Settings, 'themeColor' | 'colorWeak' | 'calm'>, size: Size, dark: boolean) {
  return {
    // White text stands on the primary colour, links stand on the page: both must be read.
    colorPrimary: readable(themeColor, '#ffffff'),
    colorInfo: readable(themeColor, '#ffffff'),
    colorLink: readable(themeColor, LINK_GROUND[dark ? 'dark' : 'light']),
    borderRadius: 6,
    borderRadiusSM: 4,
    borderRadiusLG: 8,
    // Many Chinese fonts have no weight of 500.
    fontWeightStrong: 600,
    motion: !calm,
    ...grounds[dark ? 'dark' : 'light'],
    ...(colorWeak && weak[dark ? 'dark' : 'light']),
    ...sizes[size],
  }
}

/** Attributes and variables of the page itself, for the style sheets. */
export interface Paint {
  readonly data: Readonly<Record<string, string>>
  readonly vars: Readonly<Record<string, string>>
}

/** Variables of the page itself. The same is kept for the first paint of the next visit. */
export function paintOf(settings: Settings, size: Size, dark: boolean): Paint {
  const { themeColor } = settings
  const on = (flag: boolean) => (flag ? 'on' : 'off')
  return {
    data: {
      mode: dark ? 'dark' : 'light', size, weak: on(settings.colorWeak), grey: on(settings.grey), calm: on(settings.calm), layout: settings.layout,
      header: settings.fixedHeader ? 'fixed' : 'moving', transition: on(settings.transition && !settings.calm),
    },
    vars: {
      '--primary': themeColor,
      '--accent': readable(themeColor, '#ffffff'),
      '--link': readable(themeColor, LINK_GROUND[dark ? 'dark' : 'light']),
      '--side-width': `${settings.sideWidth}px`,
    },
  }
}
