/** The ferry to Eider Holm. */
export const ferry = `
[06-01 7y 08:05] MVSanderling @quay: Good morning. I am the ferry to Eider Holm. I toot at bends, although the sea has none.
  [+26m] lighthouse: There is one bend. It is me.

[09-22 6y 11:40] MVSanderling @sound: Carried today: 31 passengers, 12 hens, and a piano which its owner would not leave and therefore played. {photo piano-on-deck 2048x1536}
  [+48m] HarbourBand: What did they play?
    [+5m] MVSanderling: Everything, twice. The hens preferred the slow ones.

[01-11 5y 07:15] MVSanderling ×12: 07:30 CANCELLED, swell at the Holm. Nobody is in a hurry today; the sea has decided.
[01-11 5y 10:35] MVSanderling: 11:00 CANCELLED as well. The skipper has made soup. Stranded persons may apply at the gangway with a bowl.
[01-12 5y 07:05] MVSanderling: 07:30 SAILS. Thank you for your patience and for bringing the bowls back.

[04-03 5y 14:55] MVSanderling @sound &lambs ×23: Forty-one ewes and a surprise: forty-two on arrival. Mother and lamb well. No fare was charged for the second half of the crossing. 🐑
  [+37m] meera.teaches: Has it a name?
    [+15m] MVSanderling: Sandy. It was that or Ramp.

[08-08 4y 18:25] MVSanderling: Lost property, summer so far: 9 hats, 4 single sandals, 1 set of teeth, 1 double bass (claimed), 1 letter that begins "Dearest". We have not read on.
  [+2h] MissQuill: Quite right.
    [+3m] MissQuill: What was the handwriting like?
      [+11m] MVSanderling: Blue ink. Slanting. In something of a hurry.

[11-17 4y 09:20] MVSanderling: I am in dry dock until the 2nd. The small boat sails in my place, at the same times, with more spray. {ferry.kittiwick.example/winter}
  [+44m] InesMarulho @slip: She is on my slip and behaving well. Eighty kilos of mussels came off the keel. @TavernaEleni took the news with interest.
    [+6m] TavernaEleni: Ντροπή! Τόσα μύδια και τα λένε ζημιά. 🦪

[05-27 3y 17:50] MVSanderling ×95: That was crossing number 20,000 to Eider Holm. Laid end to end they reach almost halfway to the Moon, where I would have to ask you to mind the gap. Thank you for sailing with me.
  [+20m] oleksa_dev: Порахував: 20 000 по п'ять морських миль. Майже пів дороги, сходиться. 🌔
  [+1h] lighthouse: We saw every one of them off. Well sailed.

[10-14 3y 16:30] MVSanderling: Today's most asked question: "Does it go to the island?" It has been known to.

[02-28 2y 12:10] MVSanderling @holm: The phone box on Eider Holm has a new coat of paint and still only rings on Sundays. Nobody there wants that changed. {photo phone-box 1080x1440}

[07-16 2y 15:20] MVSanderling ×7: A man set out from the Holm at breakfast, swam to Kittiwick and beat the 14:30 by two minutes. To be fair, he was not carrying three cars.
  [+33m] dougal_nets: To be fair he was my cousin and he would have taken one if you'd asked.

[12-24 1y 14:40] MVSanderling @sound: The 14:30 is carrying parcels, grandparents and one person in a red coat who says he is early for tonight. All aboard. 🎄
  [+1h] KittiwickSchool: Please confirm the coat. We have 86 people who need to know.
    [+9m] MVSanderling: Red. White trim. Bought a return.

[Mon 44w 06:55] MVSanderling: The vending machine on the upper deck has been repaired and now gives change, advice and, if kicked, both.
[Fri 31w 17:40] MVSanderling: Bicycles: please do not ring at the cormorants. They have right of way, or believe that they have, which comes to the same. {ferry.kittiwick.example/bicycles-and-birds}
[Wed 25w 12:30] MVSanderling @holm: Post for the Holm today: 14 letters, 2 parcels, a wheelbarrow with an address label on the handle.
  [+19m] HarbourOffice: We weighed it. It counts as a postcard.
[Sat 18w 10:45] MVSanderling: A hen party and a party of hens are both booked on the 11:00. The crew has drawn lots for decks.
  [+3h] MVSanderling: They have merged. It went very well.
[Tue 13w 07:10] MVSanderling: Two dogs, one stick and no agreement on the 07:30. We arrived with two sticks.
[Thu 10w 11:20] MVSanderling @sound: Flat calm. So flat that the skipper apologised to it for the wake.
[Sat 7w 11:15] MVSanderling: Extra sailing from the Holm at 13:00 for the match. Please sing towards the open sea.
  [+22m] KittiwickFC: By all means. The open sea is roughly where our shots go.
[Mon 4w 07:50] MVSanderling: The new deckhand has learned all the ropes. There turn out to be eleven, and Graham.
[Fri 1w 18:35] MVSanderling @sound: A passenger asked how deep it is here. "Wet all the way down," said the skipper, who has waited for that since his apprenticeship. (38 metres.)
`;
