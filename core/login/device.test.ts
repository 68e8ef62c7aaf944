import { expect, test } from 'vitest'
import { deviceName } from './device.ts'

test('a device has the name that its owner knows', () => {
  expect(deviceName('Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36')).toBe('Windows 10/11 · Chrome 126')
  expect(deviceName('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15')).toBe('macOS · Safari 17')
  expect(deviceName('Mozilla/5.0 (Linux; Android 13; V2203A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.47')).toBe('Android 13 · 微信 8')
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1')).toBe('iOS 17 · Safari 17')
})

test('what is no browser is shown as it came, and nothing is unknown', () => {
  expect(deviceName('lightMyRequest')).toBe('lightMyRequest')
  expect(deviceName('')).toBe('未知设备')
  expect(deviceName(null)).toBe('未知设备')
})
