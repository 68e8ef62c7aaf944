import { useEffect } from 'react'
import { formatTime } from '../field/time.ts'
import { useStaff } from '../session/staff-context.tsx'
import { useDark } from '../ui/dark.tsx'

/** How often its time moves on, in milliseconds. */
const MINUTE = 60_000
/** One tile of the pattern, in pixels. */
const TILE = { width: 320, height: 220 }

/** Lines of text, slanted, as the address of a picture. */
function pictureOf(lines: readonly string[], dark: boolean): string {
  const scale = window.devicePixelRatio || 1
  const canvas = document.createElement('canvas')
  canvas.width = TILE.width * scale
  canvas.height = TILE.height * scale
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.scale(scale, scale)
  context.translate(TILE.width / 2, TILE.height / 2)
  context.rotate(-Math.PI / 9)
  context.font = '14px sans-serif'
  context.textAlign = 'center'
  context.fillStyle = dark ? 'rgb(255 255 255 / 9%)' : 'rgb(0 0 0 / 8%)'
  lines.forEach((line, place) => context.fillText(line, 0, place * 22))
  return canvas.toDataURL()
}

function makeSheet(lines: readonly string[], dark: boolean): HTMLElement {
  const sheet = document.createElement('div')
  sheet.className = 'watermark'
  sheet.setAttribute('aria-hidden', 'true')
  sheet.style.cssText = `position:fixed;inset:0;z-index:4000;pointer-events:none;background:url(${pictureOf(lines, dark)}) 0 0 / ${TILE.width}px ${TILE.height}px`
  return sheet
}

/**
 * Name and time over everything, so that a photograph of the screen says whose it was. A person who takes it away or changes
 * it in the browser's tools gets it back at once.
 */
export function Watermark() {
  const { name, account } = useStaff()
  const dark = useDark()
  useEffect(() => {
    let sheet: HTMLElement | undefined
    const watcher = new MutationObserver((changes) => {
      const touched = changes.some(({ target, removedNodes }) => target === sheet || [...removedNodes].some((node) => node === sheet))
      if (touched) draw()
    })
    const draw = () => {
      watcher.disconnect()
      sheet?.remove()
      sheet = makeSheet([`${name} ${account}`, formatTime(Math.floor(Date.now() / 1000)).slice(0, 16)], dark)
      document.body.append(sheet)
      watcher.observe(document.body, { childList: true })
      watcher.observe(sheet, { attributes: true, childList: true, characterData: true })
    }
    draw()
    const timer = window.setInterval(draw, MINUTE)
    return () => {
      window.clearInterval(timer)
      watcher.disconnect()
      sheet?.remove()
    }
  }, [name, account, dark])
  return null
}
