import { Button, QRCode } from 'antd'
import { useRef } from 'react'
import { CopyButton } from '../../core/form/copy-button.tsx'
import type { PublicPage } from '../../core/public-page/page.ts'
import { formatMoney } from '../../core/field/number.ts'
import type { Suite } from './good.ts'
import './promotion.css'

/** Address of a link's page, as it is sent and printed. */
export const urlOf = (path: string): string => new URL(path, location.origin).href

/** What strangers see of a link, as on a phone; nothing can be sent from here. */
export function PhonePreview({ page }: { page: PublicPage }) {
  return (
    <div className="promo-phone" aria-label="手机预览" role="img">
      <h3>{page.title}</h3>
      {page.blocks.map((block, index) => {
        if (block.kind === 'heading') return <h4 key={index}>{block.text}</h4>
        if (block.kind === 'text') return <p key={index}>{block.text}</p>
        if (block.kind === 'facts') return <dl key={index}>{block.facts.map(({ label, value }) => <div key={label}><dt>{label}</dt><dd>{value}</dd></div>)}</dl>
        if (block.kind === 'choose') return <div key={index} className="promo-ask"><span>{block.label}</span>{block.options.map((option) => <span key={option} className="promo-option">{option}</span>)}</div>
        if (block.kind === 'ask') return <div key={index} className="promo-ask"><span>{block.label}</span><span className="promo-field" /></div>
        return null
      })}
      {page.send && <div className="promo-send">{page.send}</div>}
    </div>
  )
}

const WIDTH = 640
const EDGE = 40

/** Draws the poster: name, packages, and the code that opens the page. */
function draw(code: HTMLCanvasElement, name: string, suites: readonly Suite[]): string {
  const shown = suites.slice(0, 4)
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = 520 + shown.length * 76
  const context = canvas.getContext('2d')
  if (!context) return ''
  const font = (size: number, weight = 400) => { context.font = `${weight} ${size}px "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif` }
  context.fillStyle = '#0170d9'
  context.fillRect(0, 0, WIDTH, canvas.height)
  context.fillStyle = '#fff'
  font(40, 600)
  context.fillText(name, EDGE, 90, WIDTH - EDGE * 2)
  context.beginPath()
  context.roundRect(EDGE, 130, WIDTH - EDGE * 2, canvas.height - 170, 16)
  context.fill()
  for (const [index, suite] of shown.entries()) {
    const top = 190 + index * 76
    context.fillStyle = '#1a212b'
    font(26, 600)
    context.fillText(suite.name, EDGE * 2, top, 300)
    context.fillStyle = '#4d5868'
    font(18)
    context.fillText(suite.goods.map((good) => good.name).join('、'), EDGE * 2, top + 28, 320)
    context.fillStyle = '#c42a2a'
    font(30, 600)
    context.textAlign = 'right'
    context.fillText(formatMoney(suite.price), WIDTH - EDGE * 2, top + 8)
    context.textAlign = 'left'
  }
  const side = 220
  context.drawImage(code, (WIDTH - side) / 2, canvas.height - 320, side, side)
  context.fillStyle = '#4d5868'
  font(20)
  context.textAlign = 'center'
  context.fillText('微信扫码购买', WIDTH / 2, canvas.height - 66)
  return canvas.toDataURL('image/png')
}

/** The ways in which a link is handed on: its address, its code, its poster. */
export function LinkPoster({ path, name, suites }: { path: string; name: string; suites: readonly Suite[] }) {
  const place = useRef<HTMLDivElement>(null)
  const save = () => {
    const code = place.current?.querySelector('canvas')
    if (!code) return
    const link = document.createElement('a')
    link.href = draw(code, name, suites)
    link.download = `${name}-海报.png`
    link.click()
  }
  const url = urlOf(path)
  return (
    <div className="promo-poster">
      <div className="promo-sheet">
        <b>{name}</b>
        <ul>{suites.slice(0, 4).map((suite) => <li key={suite.name}><span>{suite.name}</span><b>{formatMoney(suite.price)}</b></li>)}</ul>
        <div ref={place}><QRCode aria-label="支付链接二维码" value={url} size={160} color="#000" bgColor="#fff" bordered={false} /></div>
        <small>微信扫码购买</small>
      </div>
      <p className="promo-url">{url}</p>
      <div className="promo-buttons"><CopyButton type="primary" text={url} label="复制链接" /><Button onClick={save}>下载海报</Button></div>
    </div>
  )
}
