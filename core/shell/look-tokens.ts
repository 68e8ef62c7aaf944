import { readable } from './contrast.ts'
import type { Settings, Size } from './settings.ts'

/** Height of inputs and buttons, size of text, in pixels, and how far things stand apart, in steps of four pixels. */
const sizes: Readonly<Record<Size, { controlHeight: number; fontSize: number; sizeStep: number }>> = {
  default: { controlHeight: 36, fontSize: 15, sizeStep: 4 },
  medium: { controlHeight: 32, fontSize: 14, sizeStep: 4 },
  small: { controlHeight: 28, fontSize: 13, sizeStep: 3 },
  mini: { controlHeight: 24, fontSize: 12, sizeStep: 2 },
}

/** Shades of good and bad that differ for every kind of colour vision (after Okabe and Ito). */
const weak = {
  light: { colorSuccess: '#00639c', colorError: '#b34700', colorWarning: '#8a6a00' },
  dark: { colorSuccess: '#56b4e9', colorError: '#ff9a4d', colorWarning: '#f0e442' },
} as const

/** What the component library is told: colours that can be read, whatever was chosen, and the density of a size. */
export function lookTokens({ themeColor, colorWeak, calm }: Pick<Settings, 'themeColor' | 'colorWeak' | 'calm'>, size: Size, dark: boolean) {
  return {
    // White text stands on the primary colour, links stand on the page: both must be read.
    colorPrimary: readable(themeColor, '#ffffff'),
    colorInfo: readable(themeColor, '#ffffff'),
    colorLink: readable(themeColor, dark ? '#242424' : '#f5f7fa'),
    borderRadius: 6,
    motion: !calm,
    ...(dark
      ? { colorTextPlaceholder: '#8c8c8c', colorTextDescription: '#a9b0ba', colorTextTertiary: '#a9b0ba' }
      : { colorTextPlaceholder: '#767676', colorTextDescription: '#5c6370', colorTextTertiary: '#5c6370' }),
    ...(colorWeak && weak[dark ? 'dark' : 'light']),
    ...sizes[size],
  }
}

/** Attributes and variables of the page itself, for the style sheets. */
export interface Paint {
  readonly data: Readonly<Record<string, string>>
  readonly vars: Readonly<Record<string, string>>
}

/** What the page itself is told. The same is kept for the first paint of the next visit. */
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
      '--link': readable(themeColor, dark ? '#2a2d31' : '#f0f2f5'),
      '--side-width': `${settings.sideWidth}px`,
    },
  }
}
