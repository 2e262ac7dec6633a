/// Keys of the RFCs' examples in the forms that files have them in, and some that cannot sign. None is a secret.
enum SampleKeys {
    /// RFC 7515 §A.2.1, in PKCS #8.
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCh+BYK4uPJtGXO
        jS1lYmM2K5J9vinh8CR3/BYlzJChNuOL2TSXxbbqY913EeZ8dCn5VrD7io8ImtxL
        aYk8wTM/U+3QGbh3hCUv7JFP5IV3aVlL6kKA0ywPVb9ilE8TA5a8bpvfbr3SvaNn
        juygxmj3AbONv/s4yDQs4v5tJ/reSlpIdJed1LnPmt7Ex1sFhSwsD174pcF1A5L5
        ROjtZMEQxrZHYJqkeDrrnGya11UxMFBji4NmXG9veoKjlnAqH2QbgtPr8jkiGUkf
        toaHLFcW9Qr4NY2ai50Xw0Byj3+H2JoY2PyrZ62EWQwuz3WTOTY8BwNNb2BvniHg
        VFbK5emhAgMBAAECggEAEq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyW
        PEAeP88vLNO97IjlA7/GQ5sLKMgvfTeXZx9SE+7YwVol2NXOoAJe46sui395IW/G
        O+pWJ1O0BkTGoVEn2bKVRUCgu+GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzj
        kn439X0M/V51gfpRLI9JYanrC4D4qAdGcopV/0ZHHzQlBjudU2QvXt4ehNYTCBr6
        XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl/x/jTj3ccPDVZFD9pIuhLhBOneufuBiB
        4cS98l2SR/RQyGWSeWjnczT0QU91p1DhOVRuOopznQKBgQDgHMQQ60imZV1URk0K
        pLttoLhyt3SmqdEf/kgHePDdtzEafpAu+cS191R2JiuoF2yzWXnwFDcqGigp5BNr
        0AHQfD8/Lk8l1Mk09jxxCfui5nYooNyac8YFjm3vItzVCVDnEd3BbVWG8qf6deqE
        lMGAg+C2V0L4oNXnP7LZcPAZRwKBgQC5A8R+CZW2MvRTLLHzwZkUXV866cff7tx6
        kqa0finGG0KgeqlaZPxgCZnFp7AeAcCMtiynVlJ7vMVgePsLq6XtON4tB5kP9jAP
        rq3rbAOal78eUH5OcED6eNuCV8ixEu1eWcPNCS/l1OW1EnXUEoEHKl54Xrrz2uNw
        kgMTP1FZ1wKBgAcCn1dwJKufzBWQxWQp1vsM5fggqPN1qGb5y0MAk3g7/Ls5bkUp
        5u9SN0Ai3Ya6hNnvWJMb7sXQX6U/zyO2M/hTip7tUeh7CXgwo59dkpN75gJLVds2
        9+DAncu3KXU4f2Fa+7bLNrur53k8KwPOq2bbuTG69QtV7Jr5MR0AHWKNAoGBAIf/
        evpitUf+4JYbLpvNXWcY052Mpz22aR84mY3nh3F2LF2mjMJDpTg7FmuyPcVw6EcG
        yoAe9fa65iNqCq+jdw6PVNGo2hxfjSiZ8IIzHdsPXI89//pMjZcQK9r+CCoRjaZj
        OYiIDktVWZzmevJuv6WywUqd57LE3Zar3dLSIkx1AoGAIYd7DHOhrWvxkwPQsRM2
        tOgrjbcrfvtQJipd+DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd/QJQ3
        ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp/gh6A56
        03k2+ZQwVK0JKSHuLFkuQ3U=
        -----END PRIVATE KEY-----
        """

    /// The same in PKCS #1.
    static let rsaTraditional = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEAofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd/wWJcyQoTbji9k0
        l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL+yRT+SFd2lZS+pC
        gNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb/7OMg0LOL+bSf63kpaSHSX
        ndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD
        Zlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxXFvUK+DWNmoudF8NAco9/h9iaGNj8
        q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQIDAQABAoIBABKucaRpzQorw35S
        bEUAVx8dYXUdZOlJcHtiWQ+dC6V8ljxAHj/PLyzTveyI5QO/xkObCyjIL303l2cf
        UhPu2MFaJdjVzqACXuOrLot/eSFvxjvqVidTtAZExqFRJ9mylUVAoLvhowVWmC1O
        n95fZCXxTUtxNEG1Xcc7m0rtzJKs45J+N/V9DP1edYH6USyPSWGp6wuA+KgHRnKK
        Vf9GRx80JQY7nVNkL17eHoTWEwga+lwi0FEoW9Y7lDtWXYmKBWhUE+U8PGxlJf8f
        40493HDw1WRQ/aSLoS4QTp3rn7gYgeHEvfJdkkf0UMhlknlo53M09EFPdadQ4TlU
        bjqKc50CgYEA4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH/5IB3jw3bcxGn6QLvnE
        tfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw/Py5PJdTJNPY8cQn7ouZ2KKDcmnPG
        BY5t7yLc1QlQ5xHdwW1VhvKn+nXqhJTBgIPgtldC+KDV5z+y2XDwGUcCgYEAuQPE
        fgmVtjL0Uyyx88GZFF1fOunH3+7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYs
        p1ZSe7zFYHj7C6ul7TjeLQeZD/YwD66t62wDmpe/HlB+TnBA+njbglfIsRLtXlnD
        zQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdcCgYAHAp9XcCSrn8wVkMVkKdb7
        DOX4IKjzdahm+ctDAJN4O/y7OW5FKebvUjdAIt2GuoTZ71iTG+7F0F+lP88jtjP4
        U4qe7VHoewl4MKOfXZKTe+YCS1XbNvfgwJ3Ltyl1OH9hWvu2yza7q+d5PCsDzqtm
        27kxuvULVeya+TEdAB1ijQKBgQCH/3r6YrVH/uCWGy6bzV1nGNOdjKc9tmkfOJmN
        54dxdixdpozCQ6U4OxZrsj3FcOhHBsqAHvX2uuYjagqvo3cOj1TRqNocX40omfCC
        Mx3bD1yPPf/6TI2XECva/ggqEY2mYzmIiA5LVVmc5nrybr+lssFKneeyxN2Wq93S
        0iJMdQKBgCGHewxzoa1r8ZMD0LETNrToK423K377UCYqXfg5XMclbrjPbEC3YI1Z
        NqMtuhdBJqUnBi6tjKMF+34Xf0CUN8ncuXGO2CAYvO8PdyCixHX52ybaDjy1FtCE
        6yUXjoKNXKvUm7MWGsAYH6f4IegOetN5NvmUMFStCSkh7ixZLkN1
        -----END RSA PRIVATE KEY-----
        """

    /// RFC 7515 §A.3.1, in PKCS #8.
    static let ec = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----
        """

    /// The same by RFC 5915.
    static let ecTraditional = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END EC PRIVATE KEY-----
        """

    /// Its public half.
    static let ecPublic = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """

    /// The same with a passphrase, in PKCS #8.
    static let ecEncrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBA1yMKT1KeL2V+cIFaX
        TGTGAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQyPR0PtC4kzypJSfS
        i08jQgSBkA60okf2IpsuPLT9JYl/sBzw6j007H5SQlWu8OM9YPdW364GOXc0pBe/
        rvksvtD669dAamQ+nxVYxupR0PZkb4xPlx8YYef2th7pDAejj1Kdu8v7BQEW0Rg1
        1kNCAbrQZUWd7A1oIzcLHQcwlhuPxT3kxTf/PAMWn5Gh5A8EbrRHO9ZR/To2vbfG
        3kfG9ElLNw==
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// The same with a passphrase, in the older form.
    static let ecTraditionalEncrypted = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,50B3594BFE07AF7F77AE965000483830

        NKk9XHtLswHW818jJ2pfilTYMfThumZGjwsSTAnnUUy1oCE/BeGiuRpGXCHyUio5
        togvoU4J7UWpRq68Ug2jiEXUX2BVxR7/OvlTj1hrgAYXP2pH+487yBb4ydNHaNQp
        +l7n57M6oN4kJL8WpkbWXw1m0TkKHybLtXJuwxKgt6w=
        -----END EC PRIVATE KEY-----
        """

    /// A certificate for the same.
    static let ecCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBbTCCAROgAwIBAgIUIBOS0SsbuDaeE8/H5k90FpVxYZMwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBeDAeFw0yNjExMjIxNjA0MDlaFw0yNjExMjMxNjA0MDlaMAwx
        CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR/zc4ncPbEXUGD
        y+5v20t7WAczNXvp7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpG
        IyiFiOWto1MwUTAdBgNVHQ4EFgQUzo0Wsckzjrf+OXmZrkW+7j+1hoYwHwYDVR0j
        BBgwFoAUzo0Wsckzjrf+OXmZrkW+7j+1hoYwDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNIADBFAiBWusYD9ePoEJIHOhQYCdO9HnJ4Tj2TvEf0z7a/tWTXcQIh
        APVfn3f+gN0jqF87ZlzO4sri16LGTVUhTLxzWLHDMfOe
        -----END CERTIFICATE-----
        """

    /// Its private half with the public half of another key.
    static let ecMixed = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEWDLosHBJIeQLiRwli5QrQ4w3LU19VjHzNO3DG2LJSXWC9LcSCUZH
        uitD0I/WrXSVyJbRUmDBIbaH6VA+W8R80w==
        -----END EC PRIVATE KEY-----
        """

    /// As `openssl ecparam -genkey` writes one.
    static let ecWithParameters = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIIWmMZW4Z9TtzKcok//quZ5jMrpz6YO1Dgi26U0AmN8NoAoGCCqGSM49
        AwEHoUQDQgAEWDLosHBJIeQLiRwli5QrQ4w3LU19VjHzNO3DG2LJSXWC9LcSCUZH
        uitD0I/WrXSVyJbRUmDBIbaH6VA+W8R80w==
        -----END EC PRIVATE KEY-----
        """

    /// RFC 8037 §A.1, in PKCS #8.
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
        -----END PRIVATE KEY-----
        """

    /// EC on another curve.
    static let p384 = """
        -----BEGIN EC PRIVATE KEY-----
        MIGkAgEBBDAgIqZrSiqMDaIcWJDh0v18/luJ+xXtAkVZQ5pfjaeP+HJkhevbS8KU
        EIKNK0p4MNWgBwYFK4EEACKhZANiAARdsZVeyfBw7n8D5U2sB88qNBWNL3LFvFk8
        Fs9BebqrGgKeQjZjetA0Ppe7FGb3kdYcGghDRsYw0LTvykSFCcjoZ5nLQDGK0lti
        fJZrdqrrYzvmUKxkrY74Grm0oDc5J8g=
        -----END EC PRIVATE KEY-----
        """

    /// The larger sister of Ed25519.
    static let ed448 = """
        -----BEGIN PRIVATE KEY-----
        MEcCAQAwBQYDK2VxBDsEOSQ07NUq9QmSU2E/ru8+ePHDeKMavWfZX5tmXGWDxPN6
        yI6uNVKdIh6Zr0zFDzjaSzxTEQhNddxKIA==
        -----END PRIVATE KEY-----
        """

    /// For key agreement.
    static let x25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIBAjK1Swm5m/hL/fYk6iXQwwgPeUT6hgtoSwW6F7AfBF
        -----END PRIVATE KEY-----
        """

    /// RSA of 1024 bits.
    static let rsa1024 = """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBALILNjoWKNemEwaV
        tQtk2c9i8PsgKirsbMXDoFj2+XQt0FtqpFR080MeIGA43tiGCKssUEC5nis7vHx5
        IFext7YnMzJr64BvFcZ20r0sDPv+IhQY2aqKCIfB253seDeN7hOMSVcazMdl03CP
        kxOKB/aERFIgCFQ/SlQrHuFKIHU/AgMBAAECgYB2P9oRNDyGFagXPIEVAzNieP1C
        XPeEsKgBpU8vJ0FAt1jmDmr8KPyUPEMWhU8EkejZ/0GB64YwgqlKJoyjkcZIGZXz
        jOyeEz6lbvNrJ4kdnazvSZrI1j94SOBOxE6F3vOj+1fzqlqcLpYEd0X5edn9x26X
        9k3XCLqhwLTENft00QJBAONCDf/7/cokr8rt6uQkCHsEkN/NUzW4HOLTLk3lahaF
        UT9dPc1WGzl9JFJAMxSMTTbCJSMIEaipsaGASZ5oAscCQQDIj77Qrt+o2UDL5TuE
        Zg3BmJrSXsQ2Lo+avY5Ynkg1Z7HhMuSuCmADgdfr1xMcUXPhJDHFPZVjrcbrADNm
        cIHJAkEA4m+qq2lWEthDIJu28+LDYG/IOnbHdjsg7REmjg8MiawErHInZjVpovqB
        +kJlow+4z9raTfF4RunuR9EfiWpxeQJBALTQQytIPQOwuaYYyAuZJhW/SvUV0rc2
        Sukqs8ZZDKh5D/kDNP9jAySmTs+kWupQ1LPJOcWku6Xd6VO8HprgG2ECQBMCxgzH
        iiBOpQT09Bssf/R3aWT4FC9VuOCS/JM7XF9JgE5bBw1/r6ypDNiBQ4vQhptQrfxS
        baFMxUgEPkvKQEs=
        -----END PRIVATE KEY-----
        """
}
