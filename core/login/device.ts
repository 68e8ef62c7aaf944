import Bowser from 'bowser'

/** Browsers by the names that their users know. */
const BROWSERS: Readonly<Record<string, string>> = {
  WeChat: '微信', 'QQ Browser': 'QQ 浏览器', 'UC Browser': 'UC 浏览器', 'Microsoft Edge': 'Edge', 'Samsung Internet for Android': '三星浏览器', Sogou: '搜狗浏览器',
}

/**
 * Words for the device that a user agent text stands for, as somebody recognises their own.
 * @example deviceName(agent) // 'Windows 10 · Chrome 126'
 */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return '未知设备'
  const { os, browser } = Bowser.parse(userAgent)
  const version = browser.version?.split('.')[0]
  // Browsers no longer say which macOS they run on; Windows says NT 10.0 for 10 and 11 alike.
  const system = [os.name, os.name === 'Windows' ? (os.versionName === '10' ? '10/11' : os.versionName) : os.name === 'macOS' ? '' : os.version?.split('.')[0]].filter(Boolean).join(' ')
  const program = browser.name ? [BROWSERS[browser.name] ?? browser.name, version].filter(Boolean).join(' ') : ''
  return [system, program].filter(Boolean).join(' · ') || userAgent.slice(0, 40)
}
