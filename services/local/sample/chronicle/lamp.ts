/** What the volunteers of the lighthouse write themselves, between the reports of the machine. */
export const lamp = `
[05-14 7y 09:12] lighthouse: Testing. Is this lit?
  [+13m] HarbourOffice: We can see you from here. We could always see you from here.
    [+5m] lighthouse: That is the nicest thing anybody has said to us since 1871.

[12-21 6y 15:40] lighthouse @lamp ×44: The shortest day. The lamp has been lit since twenty past three, and somebody has tied a ribbon round the handrail. Thank you, somebody. {photo ribbon-on-rail 1600x1067}

[06-21 5y 20:55] lighthouse @lamp: The longest day. The lamp came on because it is a matter of principle.

[02-09 5y 03:20] lighthouse @lamp ×87 &storm: Gust of 71 knots at 03:06, the most since the machine came. The tower hums one note. The band informs us that it is an E flat. #gale
  [+4h] HarbourBand: It is a little under. But what a tone.
  [+5h] MissQuill: I lay awake and recited what I could remember. I got as far as the albatross and then a slate went.
    [+2h] InesMarulho: I have slates, and a ladder. I'll come by after lunch. 🪜
      [+7m] MissQuill: There will be scones. You need not knock.

[Thu 07-04 4y 10:15] lighthouse @lamp: Open day on Sunday. 126 steps up, 126 steps down; the Society has asked us to say that these are the same steps. {lighthouse.kittiwick.example/visit}
  [+34m] meera.teaches: Room 4 counted 127.
    [+21m] lighthouse: We have counted again. The bottom one is a doorstep. We will be debating this for years.

[07-28 4y 17:05] lighthouse ×18: Two people got married on the gallery today. Wind light, visibility excellent, everybody cried. {photo gallery-wedding 2048x1365}

[11-05 4y 19:30] lighthouse: Fog. The horn is on. If you live on Lamp Hill: we are sorry, we are fond of you, and it will be every thirty seconds. #fog
  [+22m] tamsin-bakes: I get up to it and go to bed to it. It is practically family.

[03-03 3y 11:10] lighthouse @lamp ×61 &lens: After five weeks on her back in the workshop, the lens is home. 84 prisms, polished one at a time with the same cloth. {photo lens-returns 1365x2048}
  [+17m] meera.teaches: 84! We guessed 90. Room 4 would like to visit and count. 👩🏾‍🔬
    [+30m] lighthouse: Room 4 is always welcome to count things here.
  [+55m] oleksa_dev: Яка краса. Скільки кілометрів тепер видно?
    [+12m] lighthouse: Twenty-two sea miles on a clear night. We had to look up the kilometres: forty-one.

[08-19 2y 22:45] lighthouse @lamp: Shooting stars over the Sound, one a minute or so. We have turned nothing off, because we cannot, but we did look the other way.
  [+19m] nour_writes: عددتُ أربعًا من شبّاك المكتب، وأضعتُ الخامسة لأن قاربًا نادى باسمي.

[10-31 2y 18:10] lighthouse: No, the tower is not haunted. Yes, we heard it too. It was the pigeons. It was probably the pigeons.
  [+26m] biscuit.the.cat: It is always the pigeons.

[05-14 1y 09:00] lighthouse ×29: Six years since somebody wrote "Is this lit?" here. More than two thousand nights, and it was lit on every one.

[09-12 1y 20:15] lighthouse @lamp: A wheatear slept on the gallery rail, just out of the beam, and left for Africa at first light. We did not charge it for the night. {photo wheatear-on-rail 1200x1600}
  [+1h] MissQuill: Twenty-five grams of bird. I think of this when I complain about the hill.

[Sun 30w 12:20] lighthouse: The volunteers have repainted the white stripe. The volunteers are now also striped.
[Wed 22w 13:30] lighthouse: A reader asks whether the machine minds writing three reports a day. The machine has no opinion. The machine reports a dew point of nine degrees.
  [+28m] oleksa_dev: Як програміст скажу: це вона так ввічливо мовчить.
[Sat 14w 16:40] lighthouse @lamp: A school of visitors asked which light is the oldest thing we have. We showed them the stars and then, quickly, the lens.
[Tue 9w 10:05] meera.teaches: RT &lens
[Fri 5w 14:20] lighthouse @lamp: The kittiwakes on the north ledge have stopped arguing for eleven minutes. We are noting the time in the book.
  [+45m] MissQuill: They will only have been drawing breath.
[Thu 2w 17:25] lighthouse @lamp: Somebody proposed on step 63 and could not wait for the top. She said yes. We have marked the step in pencil. 💍
  [+38m] HarbourBand: We are free on Saturdays.
  [+52m] harbour.bakery: There will be a cake. Three tiers, white, with one stripe. 🎂
`;
