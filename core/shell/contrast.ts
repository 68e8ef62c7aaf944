import { FastColor } from '@ant-design/fast-color'

/** WCAG 2.2 AA for text. */
const ENOUGH = 4.5

/** Relative luminance of a colour (WCAG 2.2), 0 to 1. */
function luminance(color: FastColor): number {
  const [r = 0, g = 0, b = 0] = [color.r, color.g, color.b].map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(new FastColor(a)), luminance(new FastColor(b))].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/**
 * The nearest shade of a chosen colour that can be read on a background. People choose any theme colour, and text in it
 * or on it still has to be read.
 */
export function readable(color: string, background: string): string {
  const lighter = luminance(new FastColor(background)) < 0.18
  let shade = new FastColor(color)
  for (let step = 0; step < 50 && contrast(shade.toHexString(), background) < ENOUGH; step++) shade = lighter ? shade.lighten(2) : shade.darken(2)
  return shade.toHexString()
}
